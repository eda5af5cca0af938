-- Each change of a subscription's end, and the money that came with it; only added to. The last row leads to the end in force.
create table subscription_ledger (
  member_id text not null references members (id),
  seq integer not null,
  at bigint not null,
  kind text not null,
  -- Who caused it; null: the panel or the command line.
  by_id text references members (id),
  end_before bigint,
  end_after bigint,
  source_before text,
  -- Of a payment.
  period text,
  months integer,
  -- In hundredths; negative: it does not count as paid any more.
  amount bigint,
  currency text,
  -- The same in all rows that one press wrote.
  act_id text not null,
  primary key (member_id, seq)
);
create index subscription_ledger_act on subscription_ledger (act_id);
create index subscription_ledger_extended on subscription_ledger (at) where kind in ('extension', 'undo');

insert into subscription_ledger (member_id, seq, at, kind, end_after, act_id)
  select id, 1, created_at, 'opening', subscription_end, id from members where subscription_end is not null;
