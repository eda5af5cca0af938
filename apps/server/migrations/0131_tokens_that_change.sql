-- A session's token changes when it is elevated; the one before counts for a moment longer.
alter table sessions add column previous_token_hash text;
alter table sessions add column previous_until bigint;
create unique index sessions_previous_token on sessions (previous_token_hash) where previous_token_hash is not null;
-- When its password was given last.
alter table sessions add column password_at bigint not null default 0;
update sessions set password_at = created_at;
