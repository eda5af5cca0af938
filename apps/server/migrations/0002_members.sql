create table members (
  id text primary key,
  username text not null,
  username_key text not null unique,
  display_name text not null,
  password_hash text,
  role text not null,
  is_active integer not null,
  is_vip integer not null,
  is_unlimited integer not null,
  config_limit integer not null,
  subscription_end bigint,
  subscription_source text,
  accepted_rules_at bigint,
  telegram_id text unique,
  invited_by text,
  invite_code_id text,
  invite_code text,
  deleted_at bigint,
  created_at bigint not null
);
create index members_subscription_end on members (subscription_end) where deleted_at is null;
create index members_invited_by on members (invited_by) where invited_by is not null;
create index members_role on members (role) where deleted_at is null;
create table sessions (
  id text primary key,
  token_hash text not null unique,
  member_id text not null references members (id),
  device text,
  created_at bigint not null,
  last_seen_at bigint not null,
  expires_at bigint not null,
  elevated_at bigint,
  elevation_seen_at bigint
);
create index sessions_member on sessions (member_id);
create index sessions_expires on sessions (expires_at);
create table one_time_links (
  token_hash text primary key,
  purpose text not null,
  member_id text references members (id),
  expires_at bigint,
  created_at bigint not null
);
create table attempts (
  subject text primary key,
  failures integer not null,
  last_failure_at bigint not null
);
create index attempts_last_failure on attempts (last_failure_at);
create table two_factor (
  member_id text primary key references members (id),
  sealed_secret text not null,
  enabled_at bigint,
  last_used_step bigint,
  wrong_codes integer not null,
  last_wrong_at bigint
);
create table recovery_codes (
  member_id text not null references members (id),
  code_hash text not null,
  primary key (member_id, code_hash)
);
create table invite_codes (
  id text primary key,
  code_hash text not null unique,
  sealed_code text not null,
  kind text not null,
  created_by text not null,
  created_at bigint not null,
  expires_at bigint,
  max_uses integer not null,
  current_uses integer not null,
  subscription_days integer,
  subscription_end bigint,
  interface_ids text not null,
  is_active integer not null
);
create index invite_codes_created_by on invite_codes (created_by, created_at);
create index invite_codes_kind on invite_codes (kind, created_at);
