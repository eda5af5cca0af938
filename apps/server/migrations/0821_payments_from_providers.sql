-- Payments that a provider reported, by its own id: a repeated report changes nothing.
create table received_payments (
  id text primary key,
  member_id text not null references members (id),
  months integer not null,
  -- In hundredths.
  amount bigint not null,
  currency text not null,
  -- The first month that it paid for.
  period text not null,
  received_at bigint not null
);
create index received_payments_member on received_payments (member_id);
