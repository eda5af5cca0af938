-- Admins who put the guide for an empty club away.
create table guide_dismissals (
  member_id text primary key references members (id),
  at bigint not null
);
