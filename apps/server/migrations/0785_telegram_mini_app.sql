-- What Telegram signed for the Mini App signs somebody in once, on any panel of the club.
create table telegram_openings (
  -- Keyed hash.
  opening_hash text primary key,
  expires_at bigint not null
);
create index telegram_openings_end on telegram_openings (expires_at);

-- 1: opened in Telegram by the linked account.
alter table sessions add column by_telegram integer not null default 0;
