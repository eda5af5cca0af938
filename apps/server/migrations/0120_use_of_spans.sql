-- In which hour and day of the club's clock a config was used last: whether it comes back in a span is known as it is counted.
alter table traffic_counters add column used_hour bigint not null default 0;
alter table traffic_counters add column used_day text not null default '';
update traffic_counters set
  used_hour = coalesce((select max(hour) from traffic_hourly where traffic_hourly.config_id = traffic_counters.config_id), 0),
  used_day = coalesce((select max(day) from traffic_daily where traffic_daily.config_id = traffic_counters.config_id), '');
-- What services a config had whose keys and address are destroyed: its part of the sums stays with them.
create table config_services_past (
  config_id text not null references configs (id),
  service_id text not null,
  primary key (config_id, service_id)
);
-- Sums of all configs by what they are of: kind is interface, device or service.
create table statistics_hourly (
  hour bigint not null,
  kind text not null,
  key text not null,
  rx bigint not null,
  tx bigint not null,
  primary key (hour, kind, key)
);
create table statistics_daily (
  day text not null,
  kind text not null,
  key text not null,
  rx bigint not null,
  tx bigint not null,
  primary key (day, kind, key)
);
-- How many configs were used in that hour or day, by the one in which they were used before (0 or '': never): a span's configs
-- are those that came in it from before it, each counted once.
create table statistics_hourly_came (
  hour bigint not null,
  since bigint not null,
  kind text not null,
  key text not null,
  configs bigint not null,
  primary key (hour, since, kind, key)
);
create table statistics_daily_came (
  day text not null,
  since text not null,
  kind text not null,
  key text not null,
  configs bigint not null,
  primary key (day, since, kind, key)
);
with held as (
  select id as config_id, 'interface' as kind, interface_id as key from configs
  union all select id, 'device', device_type from configs
  union all select config_id, 'service', service_id from config_services
)
insert into statistics_hourly (hour, kind, key, rx, tx)
  select used.hour, held.kind, held.key, sum(used.rx), sum(used.tx)
  from traffic_hourly as used join held on held.config_id = used.config_id group by used.hour, held.kind, held.key;
with held as (
  select id as config_id, 'interface' as kind, interface_id as key from configs
  union all select id, 'device', device_type from configs
  union all select config_id, 'service', service_id from config_services
)
insert into statistics_daily (day, kind, key, rx, tx)
  select used.day, held.kind, held.key, sum(used.rx), sum(used.tx)
  from traffic_daily as used join held on held.config_id = used.config_id group by used.day, held.kind, held.key;
with held as (
  select id as config_id, 'interface' as kind, interface_id as key from configs
  union all select id, 'device', device_type from configs
  union all select config_id, 'service', service_id from config_services
), came as (
  select config_id, hour, lag(hour) over (partition by config_id order by hour) as before from traffic_hourly
)
-- 72 hours: no span by the hour is as long, so that whoever was away longer comes to all of them from before.
insert into statistics_hourly_came (hour, since, kind, key, configs)
  select came.hour, case when came.before >= came.hour - 259200000 then came.before else 0 end as since, held.kind, held.key, count(*)
  from came join held on held.config_id = came.config_id
  group by came.hour, case when came.before >= came.hour - 259200000 then came.before else 0 end, held.kind, held.key;
with held as (
  select id as config_id, 'interface' as kind, interface_id as key from configs
  union all select id, 'device', device_type from configs
  union all select config_id, 'service', service_id from config_services
), came as (
  select config_id, day, coalesce(lag(day) over (partition by config_id order by day), '') as since from traffic_daily
)
insert into statistics_daily_came (day, since, kind, key, configs)
  select came.day, came.since, held.kind, held.key, count(*)
  from came join held on held.config_id = came.config_id group by came.day, came.since, held.kind, held.key;
-- The most a member can have used of a span: of the last days, of 30 days, of his configs' lives. Who used a span the most is
-- looked for among those alone who can have.
alter table member_use add column recent_bytes bigint not null default 0;
alter table member_use add column life_bytes bigint not null default 0;
update member_use set life_bytes = coalesce((
  select sum(totals.total_rx + totals.total_tx) from configs join traffic_counters as totals on totals.config_id = configs.id
  where configs.member_id = member_use.member_id
), 0);
-- Until they are counted, which is at once.
update member_use set recent_bytes = life_bytes, month_bytes = case when month_as_of = '' then life_bytes else month_bytes end,
  month_as_of = '';
create index member_use_recent on member_use (recent_bytes, member_id);
create index member_use_life on member_use (life_bytes, member_id);
