-- An interface can be closed to new configs; those it has stay.
alter table interfaces add column takes_new integer not null default 1;

-- Devices of one interface that are moved to another; null: of the whole server.
alter table emptyings add column from_interface text references interfaces (id);
alter table emptyings add column to_interface text references interfaces (id);
drop index emptyings_running;
create unique index emptyings_running on emptyings (from_server, coalesce(from_interface, '')) where state = 'running';
