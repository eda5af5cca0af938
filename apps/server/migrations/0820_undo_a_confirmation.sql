-- What a confirmed payment replaced, so that it can be undone for a moment; deleted soon after.
create table payment_undos (
  act_id text not null,
  member_id text not null references members (id),
  at bigint not null,
  -- JSON: the months as they were, the claim, the last settled month, and the traffic that counted towards the quota.
  before text not null,
  primary key (act_id, member_id)
);
create index payment_undos_at on payment_undos (at);
