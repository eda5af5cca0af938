-- opening_*: what the config's life totals were before the row's hour or day. What it used in any span follows from the span's
-- first and last row, however long it is.
alter table traffic_hourly add column opening_rx bigint not null default 0;
alter table traffic_hourly add column opening_tx bigint not null default 0;
alter table traffic_daily add column opening_rx bigint not null default 0;
alter table traffic_daily add column opening_tx bigint not null default 0;
update traffic_hourly set opening_rx = totals.total_rx - later.rx, opening_tx = totals.total_tx - later.tx
  from traffic_counters as totals, (
    select config_id, hour,
      sum(rx) over (partition by config_id order by hour desc) as rx,
      sum(tx) over (partition by config_id order by hour desc) as tx
    from traffic_hourly
  ) as later
  where totals.config_id = traffic_hourly.config_id
    and later.config_id = traffic_hourly.config_id and later.hour = traffic_hourly.hour;
update traffic_daily set opening_rx = totals.total_rx - later.rx, opening_tx = totals.total_tx - later.tx
  from traffic_counters as totals, (
    select config_id, day,
      sum(rx) over (partition by config_id order by day desc) as rx,
      sum(tx) over (partition by config_id order by day desc) as tx
    from traffic_daily
  ) as later
  where totals.config_id = traffic_daily.config_id
    and later.config_id = traffic_daily.config_id and later.day = traffic_daily.day;
-- All devices together, written beside each device's own.
create table traffic_club_hourly (hour bigint primary key, rx bigint not null, tx bigint not null);
create table traffic_club_daily (day text primary key, rx bigint not null, tx bigint not null);
insert into traffic_club_hourly (hour, rx, tx) select hour, sum(rx), sum(tx) from traffic_hourly group by hour;
insert into traffic_club_daily (day, rx, tx) select day, sum(rx), sum(tx) from traffic_daily group by day;
