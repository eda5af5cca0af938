-- The outbox and what panels share on one database.
create table jobs (
  id text primary key,
  kind text not null,
  lane text not null,
  panel_id text,
  payload text not null,
  run_at bigint not null,
  attempts integer not null,
  locked_until bigint,
  failed_at bigint,
  last_error text,
  created_at bigint not null
);
create index jobs_due on jobs (run_at) where failed_at is null;
create table leases (
  name text primary key,
  holder text not null,
  expires_at bigint not null
);
create table settings (
  name text primary key,
  value text not null,
  changed_at bigint not null
);
create table audit (
  id text primary key,
  at bigint not null,
  actor_id text,
  action text not null,
  target text,
  before text,
  after text
);
create index audit_at on audit (at);
