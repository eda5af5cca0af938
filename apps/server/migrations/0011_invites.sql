-- Wrong invite codes by address (a keyed hash). They outlive the wrong passwords, whose day of quiet is shorter than a ban and a day.
create table invite_attempts (
  address_hash text primary key,
  wrong_codes integer not null,
  last_wrong_at bigint not null
);
create index invite_attempts_last_wrong on invite_attempts (last_wrong_at);
