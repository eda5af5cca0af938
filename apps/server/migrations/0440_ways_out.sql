-- Notices on their way out of the panel, to Telegram and to browsers. What they say is written when they are sent.
create table outbox (
  way text not null,
  -- Where it goes on this way: the member whose chat it is, or a browser's subscription.
  target text not null,
  notice_id text not null references notices (id) on delete cascade,
  member_id text not null references members (id),
  -- Grows with time: a target gets its notices in this order.
  turn bigint not null,
  not_before bigint not null,
  attempts integer not null,
  -- Given up.
  failed_at bigint,
  reason text,
  primary key (way, target, notice_id)
);
insert into outbox (way, target, notice_id, member_id, turn, not_before, attempts, failed_at, reason)
  select 'telegram', member_id, notice_id, member_id, turn, not_before, attempts, failed_at, reason
  from telegram_outbox;
drop table telegram_outbox;
create index outbox_due on outbox (way, not_before) where failed_at is null;
create index outbox_failed on outbox (way, failed_at) where failed_at is not null;
create index outbox_notice on outbox (notice_id);
create index outbox_member on outbox (member_id);

-- What a member chooses holds for every way out.
alter table telegram_choices rename to notice_choices;

-- The key pair by which push services know the club.
create table push_keys (
  name text primary key,
  public_key text not null,
  sealed_private_key text not null
);

-- Browsers to which their members want notices sent.
create table push_subscriptions (
  id text primary key,
  member_id text not null references members (id),
  -- Whoever ends the session ends this too; a session that just ran out does not.
  session_id text not null,
  endpoint_hash text not null unique,
  sealed_endpoint text not null,
  device text,
  language text not null,
  created_at bigint not null,
  seen_at bigint not null
);
create index push_subscriptions_member on push_subscriptions (member_id);
create index push_subscriptions_session on push_subscriptions (session_id);
create index push_subscriptions_seen on push_subscriptions (seen_at);
