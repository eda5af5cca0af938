-- An update of configs adds to `config_counts` what it changed, and nothing where it changed nothing: a device that leaves the wire
-- concerns its interface only, while nearly all devices share a DNS entry and a service.
create function count_changed_configs() returns trigger language plpgsql as $$ begin
    insert into config_counts as c
      with touched as (
        select 1 as sign, id, interface_id, dns_id, on_wire, deleted_at is null as is_living, delivered_at is not null as is_delivered,
          address <> '' and place_of is null as is_held from now_are
        union all select -1, id, interface_id, dns_id, on_wire, deleted_at is null, delivered_at is not null,
          address <> '' and place_of is null from were
      )
      select kind, id, pg_backend_pid() % 64, sum(configs), sum(on_wire), sum(delivered), sum(held) from (
        select 'interface' as kind, interface_id as id, sign as configs, sign * on_wire as on_wire, sign * is_delivered::integer as delivered, 0 as held
          from touched where is_living
        union all select 'dns', dns_id, sign * is_living::integer, 0, sign * (is_living and is_delivered)::integer, sign * is_held::integer from touched
        union all select 'service', service_id, 0, 0, changed.sign, 0
          from (select id, sum(sign) as sign from touched where is_living and is_delivered group by id having sum(sign) <> 0) as changed
            join config_services on config_id = changed.id
      ) as counted group by kind, id
      having sum(configs) <> 0 or sum(on_wire) <> 0 or sum(delivered) <> 0 or sum(held) <> 0 order by kind, id
      on conflict (kind, id, slot) do update set configs = c.configs + excluded.configs, on_wire = c.on_wire + excluded.on_wire, delivered = c.delivered + excluded.delivered, held = c.held + excluded.held; return null; end $$;
drop trigger configs_counted_before on configs;
drop trigger configs_counted_after on configs;
create trigger configs_counted_change after update on configs referencing old table as were new table as now_are for each statement execute function count_changed_configs();
