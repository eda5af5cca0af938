-- The list of a service as somebody typed it, comments and all; without a row it is as services.ips has it.
create table service_texts (
  service_id text primary key references services (id) on delete cascade,
  typed text not null
);
