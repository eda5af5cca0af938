-- A list that differs too much waits for an admin: its networks, since when, and a hash of what was refused.
alter table list_sources add column waiting text;
alter table list_sources add column waiting_since bigint;
alter table list_sources add column refused text;
-- 1: an earlier version was brought back, and whatever differs from it waits.
alter table list_sources add column held integer not null default 0;

create table source_versions (
  id text primary key,
  source_id text not null references list_sources (id) on delete cascade,
  networks text not null,
  made_at bigint not null
);
create index source_versions_by_source on source_versions (source_id, made_at);
