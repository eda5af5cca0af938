-- Deleted configs whose keys and address are still kept, by when they were deleted: a few among all ever deleted.
create index configs_past on configs (deleted_at) where deleted_at is not null and address <> '';
-- SQLite reads an index alone only if every column that the query names is in it.
drop index configs_counted;
create index configs_counted on configs (interface_id, on_wire, delivered_at, deleted_at) where deleted_at is null;
drop index configs_dns_living;
create index configs_dns_living on configs (dns_id, delivered_at, deleted_at) where deleted_at is null;
