-- Where services' networks come from besides what was typed: lists at addresses of the internet.
create table list_sources (
  id text primary key,
  source text not null unique,
  networks text not null,
  -- Lines of the last answer that are no network.
  unread integer not null default 0,
  etag text,
  good_at bigint not null,
  due_at bigint not null,
  failing_since bigint,
  problem text,
  told_at bigint,
  created_at bigint not null
);
create index list_sources_by_due on list_sources (due_at);

create table source_uses (
  service_id text not null references services (id) on delete cascade,
  source_id text not null references list_sources (id) on delete cascade,
  primary key (service_id, source_id)
);
create index source_uses_by_source on source_uses (source_id);
