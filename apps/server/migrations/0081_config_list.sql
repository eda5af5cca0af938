-- Staff's list of configs: each way to sort it has its index, and so has each filter that few configs meet. Every config has
-- a row of counters from its beginning, so that one that was never used has its place among the others.
insert into traffic_counters (config_id, public_key, raw_rx, raw_tx, total_rx, total_tx)
  select id, public_key, 0, 0, 0, 0 from configs where id not in (select config_id from traffic_counters);
create index traffic_counters_handshake on traffic_counters ((coalesce(last_handshake_at, 0)), config_id);
create index traffic_counters_total on traffic_counters ((total_rx + total_tx), config_id);
create index configs_created on configs (created_at, id) where deleted_at is null;
create index configs_by_name on configs (name_key, id) where deleted_at is null;
create index configs_by_address on configs (address, id) where deleted_at is null;
create index configs_blocked on configs (is_blocked, member_id) where is_blocked = 1 and deleted_at is null;
create index configs_stale on configs (is_stale, member_id) where is_stale = 1 and deleted_at is null;
create index configs_off_wire on configs (on_wire, member_id) where on_wire = 0 and is_blocked = 0 and deleted_at is null;
alter table configs add column deleted_by text;
