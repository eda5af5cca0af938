-- With which Idempotency-Key a config's keys were last replaced: the same request again gets the same answer.
alter table configs add column key_request text;
