-- A place that a device moves away from is a row of its own, deleted for all but its server: `place_of` says whose it is, `peer_key`
-- its key, which stands in the device's row too. While the device moves, `moves_until` is in both rows.
alter table configs add column place_of text;
alter table configs add column peer_key text;
alter table configs add column moves_until bigint;
create index configs_places on configs (place_of) where place_of is not null;
create index configs_peer_keys on configs (peer_key) where peer_key is not null;
create index configs_moving on configs (moves_until) where moves_until is not null;
-- The interface that raw counters are of; null as long as the device never moved.
alter table traffic_counters add column interface_id text;
