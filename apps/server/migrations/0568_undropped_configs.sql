-- Deleted configs that their server has not let go of yet. Of a server that was deleted nobody would ever say that it has.
create index configs_undropped on configs (interface_id) where on_wire = 1 and deleted_at is not null;
update configs set on_wire = 0
  where on_wire = 1 and deleted_at is not null
    and interface_id in (select id from interfaces where server_id in (select id from servers where deleted_at is not null));
