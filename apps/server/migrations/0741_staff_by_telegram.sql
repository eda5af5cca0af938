-- Which staff act from Telegram, and what the bot asked them last.
create table telegram_staff (
  member_id text primary key references members (id),
  telegram_id text not null,
  -- When a two-factor code confirmed that this account is theirs.
  confirmed_at bigint,
  -- JSON: what their next message answers.
  pending text,
  pending_at bigint
);

-- Messages that staff may act on, to change them once somebody has.
create table telegram_messages (
  chat_id text not null,
  message_id bigint not null,
  reader_id text not null references members (id),
  kind text not null,
  -- What it is about: a claim, or a ticket.
  subject text,
  about_id text not null references members (id),
  sent_at bigint not null,
  primary key (chat_id, message_id)
);
create index telegram_messages_subject on telegram_messages (subject);
create index telegram_messages_about on telegram_messages (about_id);
create index telegram_messages_reader on telegram_messages (reader_id);
create index telegram_messages_sent on telegram_messages (sent_at);

-- How an act came; null: a call, the panel itself or the command line.
alter table audit add column via text;
