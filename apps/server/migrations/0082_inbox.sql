-- What the club tells a member. kind and params are worded in the reader's language; once_key: what
-- must not be told twice.
create table notices (
  id text primary key,
  member_id text not null references members (id),
  kind text not null,
  params text not null,
  once_key text,
  created_at bigint not null,
  read_at bigint
);
create index notices_member on notices (member_id, created_at, id);
create index notices_unread on notices (member_id) where read_at is null;
create unique index notices_once on notices (member_id, once_key) where once_key is not null;
create index notices_created on notices (created_at);
