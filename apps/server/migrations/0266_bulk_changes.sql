-- What became of changes of many members that came with an Idempotency-Key: sent again, they change nobody twice.
create table bulk_changes (
  actor_id text not null,
  idempotency_key text not null,
  idempotency_hash text not null,
  outcome text not null,
  created_at bigint not null,
  primary key (actor_id, idempotency_key)
);
create index bulk_changes_created on bulk_changes (created_at);
