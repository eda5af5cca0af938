-- When a member made things in the last minute: one count for all panels on the database.
create table creations (
  member_id text primary key,
  made_at text not null,
  last_at bigint not null
);
