-- How many configs an interface, a DNS entry and a service have: kept by triggers, since counting them takes longer with every config.
-- `configs`: those not deleted; of a service also those that can be brought back. `held`: of a DNS entry, those that keep an address.
-- Each connection adds to a slot of its own, so that those who make configs side by side do not wait for each other's commits.
create table config_counts (
  kind text not null,
  id text not null,
  slot integer not null,
  configs bigint not null,
  on_wire bigint not null,
  delivered bigint not null,
  held bigint not null,
  primary key (kind, id, slot)
);
insert into config_counts
  select 'interface', interface_id, 0, count(*), sum(on_wire), count(delivered_at), 0 from configs where deleted_at is null group by interface_id;
insert into config_counts
  select 'dns', dns_id, 0, count(*) filter (where deleted_at is null), 0, count(*) filter (where deleted_at is null and delivered_at is not null),
      count(*) filter (where address <> '' and place_of is null) from configs group by dns_id;
insert into config_counts
  select 'service', service_id, 0, count(*), 0, count(*) filter (where deleted_at is null and delivered_at is not null), 0
  from config_services join configs on configs.id = config_services.config_id group by service_id;
-- Those with a service are gone through in parts.
drop index config_services_service;
create index config_services_service on config_services (service_id, config_id);
-- `touched`: the rows as they are now, to be added, or as they were, to be taken away.
create function count_configs() returns trigger language plpgsql as $$ declare sign integer := tg_argv[0]; begin
    insert into config_counts as c
      select kind, id, pg_backend_pid() % 64, sign * sum(configs), sign * sum(on_wire), sign * sum(delivered), sign * sum(held) from (
        select 'interface' as kind, interface_id as id, 1 as configs, on_wire, (delivered_at is not null)::integer as delivered, 0 as held
          from touched where deleted_at is null
        union all select 'dns', dns_id, (deleted_at is null)::integer, 0, (deleted_at is null and delivered_at is not null)::integer,
            (address <> '' and place_of is null)::integer
          from touched where deleted_at is null or address <> ''
        union all select 'service', service_id, 0, 0, 1, 0
          from touched join config_services on config_id = touched.id where deleted_at is null and delivered_at is not null
      ) as counted group by kind, id order by kind, id
      on conflict (kind, id, slot) do update set configs = c.configs + excluded.configs, on_wire = c.on_wire + excluded.on_wire, delivered = c.delivered + excluded.delivered, held = c.held + excluded.held; return null; end $$;
create function count_config_services() returns trigger language plpgsql as $$ declare sign integer := tg_argv[0]; begin
    insert into config_counts as c
      select 'service', service_id, pg_backend_pid() % 64, sign * count(*), 0,
          sign * count(*) filter (where configs.deleted_at is null and delivered_at is not null), 0
        from touched left join configs on configs.id = config_id group by service_id order by service_id
      on conflict (kind, id, slot) do update set configs = c.configs + excluded.configs, on_wire = c.on_wire + excluded.on_wire, delivered = c.delivered + excluded.delivered, held = c.held + excluded.held; return null; end $$;
create trigger configs_counted_in after insert on configs referencing new table as touched for each statement execute function count_configs('1');
create trigger configs_counted_before after update on configs referencing old table as touched for each statement execute function count_configs('-1');
create trigger configs_counted_after after update on configs referencing new table as touched for each statement execute function count_configs('1');
create trigger configs_counted_out after delete on configs referencing old table as touched for each statement execute function count_configs('-1');
create trigger config_services_counted_in after insert on config_services referencing new table as touched for each statement execute function count_config_services('1');
create trigger config_services_counted_before after update on config_services referencing old table as touched for each statement execute function count_config_services('-1');
create trigger config_services_counted_after after update on config_services referencing new table as touched for each statement execute function count_config_services('1');
create trigger config_services_counted_out after delete on config_services referencing old table as touched for each statement execute function count_config_services('-1');
