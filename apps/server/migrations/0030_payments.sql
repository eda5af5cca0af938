-- A member's months; nothing is recorded while a month is pending. A deleted member's stay, nameless as he is.
create table payments (
  id text primary key,
  member_id text not null references members (id),
  period text not null,
  status text not null,
  amount bigint,
  currency text not null,
  due_day text not null,
  paid_at bigint,
  note text,
  granted_from bigint,
  granted_until bigint,
  granted_end_before bigint,
  granted_source_before text,
  granted_anchor_day integer,
  created_at bigint not null,
  changed_at bigint not null,
  unique (member_id, period)
);
-- Who says that he has paid; one at a time waits.
create table payment_claims (
  id text primary key,
  member_id text not null references members (id),
  state text not null,
  claimed_at bigint not null,
  decided_at bigint,
  reason text,
  receipt_id text
);
create unique index payment_claims_waiting on payment_claims (member_id) where state = 'waiting';
create index payment_claims_queue on payment_claims (claimed_at, id) where state = 'waiting';
create index payment_claims_member on payment_claims (member_id, claimed_at);
create index payment_claims_decided on payment_claims (decided_at) where receipt_id is not null;
create table payment_receipts (
  id text primary key,
  media text not null,
  -- SQLite knows no type of this name and keeps what it is given.
  picture bytea not null
);
