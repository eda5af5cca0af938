-- Who of the staff made a config for its member, as long as it has the keys that were made with it; null: the member did.
alter table configs add column made_by text;
-- Links that hand such a config over.
alter table one_time_links add column config_id text;
create index one_time_links_config on one_time_links (config_id) where config_id is not null;
