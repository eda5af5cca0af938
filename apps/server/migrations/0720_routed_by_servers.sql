-- Who decides what of members' traffic goes where, and by which exit goes what none of their services names.
alter table interfaces add column routing text not null default 'device';
alter table interfaces add column rest_exit text not null default 'direct';
-- By which exit a service leaves where the server decides.
alter table services add column exit text not null default 'direct';
-- Grows with what servers route by, so that they notice a change.
create table routing_revision (id integer primary key, revision bigint not null);
insert into routing_revision (id, revision) values (1, 0);
