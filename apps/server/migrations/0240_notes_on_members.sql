-- What staff note about a member, for each other.
create table member_notes (
  id text primary key,
  member_id text not null references members (id),
  author_id text not null references members (id),
  content text not null,
  created_at bigint not null
);
create index member_notes_member on member_notes (member_id, created_at, id);
