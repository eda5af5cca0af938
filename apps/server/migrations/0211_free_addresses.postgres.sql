-- Addresses as numbers, so that an index answers the highest one on an interface; and the free numbers below it.
alter table configs add column address_number bigint generated always as (case when address <> '' then address::inet - '0.0.0.0'::inet end) stored;
create unique index configs_address_number on configs (interface_id, address_number) where address_number is not null;
drop index configs_address;
create table free_addresses (
  interface_id text not null,
  address_number bigint not null,
  primary key (interface_id, address_number)
);
insert into free_addresses (interface_id, address_number)
  select ends.id, number
    from (
      select interfaces.id, network(subnet::inet)::inet - '0.0.0.0'::inet + 2 as lowest, max(address_number) as highest
        from interfaces join configs on configs.interface_id = interfaces.id and address_number is not null
        group by interfaces.id
    ) ends, generate_series(lowest, highest) number
    where not exists (select 1 from configs where interface_id = ends.id and address_number = number);
