-- What a linked member is called there, to be shown to himself, and since when he has blocked the bot: then he counts as not connected.
alter table members add column telegram_name text;
alter table members add column telegram_blocked_at bigint;
-- The bot of each token (a keyed hash): its name, as Telegram told it, and why it does not work now. All panels read it, one writes it.
create table telegram_bots (
  token_hash text primary key,
  username text,
  trouble text,
  trouble_since bigint
);
create table telegram_codes (
  member_id text not null references members (id),
  purpose text not null,
  code_hash text not null,
  sealed_code text not null,
  expires_at bigint not null,
  primary key (member_id, purpose)
);
create unique index telegram_codes_hash on telegram_codes (purpose, code_hash);
create index telegram_codes_expires on telegram_codes (expires_at);
-- Wrong linking codes by Telegram account (a keyed hash).
create table telegram_attempts (
  account_hash text primary key,
  wrong_codes integer not null,
  last_wrong_at bigint not null
);
create index telegram_attempts_last_wrong on telegram_attempts (last_wrong_at);
