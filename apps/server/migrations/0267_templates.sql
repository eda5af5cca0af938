-- What new members begin with; at most one is the default.
create table templates (
  id text primary key,
  name text not null,
  name_key text not null unique,
  service_ids text not null,
  interface_id text,
  config_limit integer not null,
  quota_bytes bigint,
  quota_at_end text not null,
  is_default integer not null,
  created_at bigint not null
);
-- What a member began with, as the template said then.
create table member_templates (
  member_id text primary key references members (id),
  name text not null,
  service_ids text not null,
  interface_id text
);
alter table invite_codes add column template_id text;
