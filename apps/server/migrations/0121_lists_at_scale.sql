-- All configs are counted along the narrowest index.
create index configs_living on configs (is_stale) where deleted_at is null;
-- Members with something off the wire are found by reading the index alone.
drop index configs_off_wire;
create index configs_off_wire on configs (member_id, interface_id) where on_wire = 0 and is_blocked = 0 and deleted_at is null;
