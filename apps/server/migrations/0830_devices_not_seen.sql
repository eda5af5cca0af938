-- When a device was switched off because it had not been seen.
alter table configs add column dormant_since bigint;
create index configs_dormant on configs (member_id) where dormant_since is not null and deleted_at is null;

-- Devices that others on their interface outlast: what is known of each only while it stays away, or is switched off for it.
create table unseen_devices (
  config_id text primary key references configs (id) on delete cascade,
  -- Changes with everything that shows that somebody uses it.
  mark text not null,
  -- On how many days it was missing, or has been off; and the last one counted, YYYY-MM-DD by the club's clock.
  days integer not null,
  day text not null,
  -- How many they were when its owner was told.
  told_days integer
);
