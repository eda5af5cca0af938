-- Deleted configs that can still be restored: a few among all ever deleted.
create index configs_held on configs (interface_id, deleted_at) where deleted_at is not null and address <> '';
