-- What an address (a keyed hash of its group) or an invite code did within a day: members it made, taken names it tried.
create table joining_counts (
  subject text not null,
  what text not null,
  times integer not null,
  since bigint not null,
  primary key (subject, what)
);
create index joining_counts_since on joining_counts (since);
