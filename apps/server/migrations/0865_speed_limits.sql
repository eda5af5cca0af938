-- How fast a member may be on each server, Mbit/s; null: any speed.
alter table members add column speed_mbit integer;
create index members_by_speed on members (speed_mbit) where speed_mbit is not null;
alter table templates add column speed_mbit integer;
-- Why nobody's speed is limited on a server where it should be: a reason; null if it is or need not be.
alter table servers add column speed_failure text;
