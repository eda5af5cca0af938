-- The language in which a member's Telegram speaks to the bot; null until it is heard.
alter table members add column telegram_language text;

-- Notices on their way to Telegram. What they say is written when they are sent.
create table telegram_outbox (
  notice_id text primary key references notices (id) on delete cascade,
  member_id text not null references members (id),
  -- Grows with time: a chat gets its notices in this order.
  turn bigint not null,
  not_before bigint not null,
  attempts integer not null,
  -- Given up.
  failed_at bigint,
  reason text
);
create index telegram_outbox_due on telegram_outbox (not_before) where failed_at is null;
create index telegram_outbox_failed on telegram_outbox (failed_at) where failed_at is not null;
create index telegram_outbox_member on telegram_outbox (member_id);

-- Where a member wants it otherwise than everybody gets it.
create table telegram_choices (
  member_id text not null references members (id),
  notices text not null,
  wanted integer not null,
  primary key (member_id, notices)
);
