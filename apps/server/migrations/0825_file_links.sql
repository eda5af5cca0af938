-- Links by which Telegram's program, or a browser that it opens, fetches one config's file. Each lives for minutes.
create table file_links (
  -- SHA-256, base64url.
  token_hash text primary key,
  config_id text not null,
  -- Whose page made it: the link ends with that session.
  session_id text not null,
  -- 1: the person has agreed to the download.
  is_accepted integer not null,
  -- SHA-256 of the file that was sent to its last byte; null: none yet.
  sent_hash text,
  expires_at bigint not null
);
create index file_links_end on file_links (expires_at);
