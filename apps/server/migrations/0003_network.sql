create table servers (
  id text primary key,
  name text not null,
  driver text not null,
  panel_id text,
  endpoint text,
  default_endpoint text,
  is_main integer not null,
  is_setup_complete integer not null,
  unreachable_since bigint,
  unreachable_reason text,
  reconciled_at bigint,
  created_at bigint not null,
  deleted_at bigint
);
create unique index servers_panel on servers (panel_id) where panel_id is not null and deleted_at is null;
create table interfaces (
  id text primary key,
  server_id text not null references servers (id),
  name text not null,
  type text not null,
  parameters text not null,
  interface_name text not null,
  listen_port integer not null,
  subnet text not null,
  subnet_v6 text,
  endpoint text,
  mtu integer,
  public_key text not null unique,
  sealed_private_key text not null,
  is_active integer not null,
  conflict text,
  created_at bigint not null,
  deleted_at bigint
);
create index interfaces_server on interfaces (server_id);
create table server_assignments (
  member_id text not null,
  server_id text not null references servers (id),
  primary key (member_id, server_id)
);
create table interface_assignments (
  member_id text not null,
  interface_id text not null references interfaces (id),
  primary key (member_id, interface_id)
);
create table services (
  id text primary key,
  name text not null,
  name_key text not null unique,
  ips text not null,
  device_types text not null,
  position integer not null,
  created_at bigint not null
);
create table dns_entries (
  id text primary key,
  name text not null,
  name_key text not null unique,
  ips text not null,
  position integer not null,
  created_at bigint not null
);
create table configs (
  id text primary key,
  member_id text not null references members (id),
  name text not null,
  name_key text not null,
  device_type text not null,
  interface_id text not null references interfaces (id),
  dns_id text not null,
  address text not null,
  address_v6 text,
  public_key text not null unique,
  sealed_private_key text,
  sealed_preshared_key text not null,
  is_blocked integer not null,
  on_wire integer not null,
  delivered_at bigint,
  is_stale integer not null,
  idempotency_key text,
  idempotency_body text,
  deleted_at bigint,
  created_at bigint not null
);
create unique index configs_name on configs (member_id, name_key) where deleted_at is null;
create unique index configs_address on configs (interface_id, address) where address <> '';
create unique index configs_idempotency on configs (member_id, idempotency_key) where idempotency_key is not null;
create index configs_interface on configs (interface_id);
create index configs_dns on configs (dns_id);
create index configs_deleted on configs (deleted_at) where deleted_at is not null;
create table config_services (
  config_id text not null references configs (id),
  service_id text not null references services (id),
  position integer not null,
  primary key (config_id, service_id)
);
create index config_services_service on config_services (service_id);
create table traffic_counters (
  config_id text primary key,
  public_key text not null,
  raw_rx bigint not null,
  raw_tx bigint not null,
  total_rx bigint not null,
  total_tx bigint not null,
  last_handshake_at bigint
);
create table traffic_hourly (
  config_id text not null,
  hour bigint not null,
  rx bigint not null,
  tx bigint not null,
  primary key (config_id, hour)
);
create index traffic_hourly_hour on traffic_hourly (hour);
create table traffic_daily (
  config_id text not null,
  day text not null,
  rx bigint not null,
  tx bigint not null,
  primary key (config_id, day)
);
create index traffic_daily_day on traffic_daily (day);
