-- A server can be closed to new configs; those it has stay.
alter table servers add column takes_new integer not null default 1;

-- Devices of one server that are moved to another, member by member.
create table emptyings (
  id text primary key,
  from_server text not null references servers (id),
  to_server text not null references servers (id),
  actor_id text not null,
  started_at bigint not null,
  -- The last member whose devices were moved.
  after_member text,
  total integer not null,
  moved integer not null,
  -- Those that stay where they are, by reason, as JSON.
  stayed text not null,
  -- running, done, stopped
  state text not null,
  ended_at bigint
);
create unique index emptyings_running on emptyings (from_server) where state = 'running';
create index emptyings_ended on emptyings (ended_at);
