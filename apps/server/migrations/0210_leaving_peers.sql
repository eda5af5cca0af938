-- The key of a peer that no longer carries traffic but whose last bytes are still to be counted.
alter table configs add column leaving_key text;
create index configs_leaving on configs (leaving_key) where leaving_key is not null;
