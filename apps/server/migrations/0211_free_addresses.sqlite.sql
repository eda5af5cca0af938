-- Addresses as numbers, so that an index answers the highest one on an interface; and the free numbers below it.
alter table configs add column address_number integer generated always as (
  case when address <> '' then
    json_extract('[' || replace(address, '.', ',') || ']', '$[0]') * 16777216 + json_extract('[' || replace(address, '.', ',') || ']', '$[1]') * 65536
    + json_extract('[' || replace(address, '.', ',') || ']', '$[2]') * 256 + json_extract('[' || replace(address, '.', ',') || ']', '$[3]')
  end) virtual;
create unique index configs_address_number on configs (interface_id, address_number) where address_number is not null;
drop index configs_address;
create table free_addresses (
  interface_id text not null,
  address_number bigint not null,
  primary key (interface_id, address_number)
);
insert into free_addresses (interface_id, address_number)
  with recursive
    parts (id, list) as (select id, '[' || replace(substr(subnet, 1, instr(subnet, '/') - 1), '.', ',') || ']' from interfaces),
    hosts (id, number, highest) as (
      select id, (json_extract(list, '$[0]') * 16777216 + json_extract(list, '$[1]') * 65536 + json_extract(list, '$[2]') * 256 + json_extract(list, '$[3]')) + 2,
        (select max(address_number) from configs where interface_id = parts.id and address_number is not null)
        from parts
      union all select id, number + 1, highest from hosts where number < highest
    )
  select id, number from hosts
    where number < highest and not exists (select 1 from configs where interface_id = hosts.id and address_number = hosts.number);
