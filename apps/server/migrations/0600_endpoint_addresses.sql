-- What the names of endpoints resolve to: files leave these addresses out of what a device sends into the tunnel. `addresses` is a
-- JSON list, from the last time they were found.
create table endpoint_addresses (
  name text primary key,
  addresses text not null,
  asked_at bigint not null
);
