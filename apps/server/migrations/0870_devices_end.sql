-- Until when a device works, which of staff set that (null: its owner), and the end that its owner was told of.
alter table configs add column ends_at bigint;
alter table configs add column ends_by text;
alter table configs add column end_told bigint;
-- 1: it was switched off for that; then dormant_since says when.
alter table configs add column has_ended integer not null default 0;
create index configs_ending on configs (ends_at) where ends_at is not null and deleted_at is null;
