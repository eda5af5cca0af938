-- When work last deleted old records by a clock that was believed, and since when and until when a clock ahead of that waits (ADR 143).
create table forgetting (
  one integer primary key check (one = 1),
  at bigint not null,
  doubted_since bigint,
  doubted_at bigint
);
