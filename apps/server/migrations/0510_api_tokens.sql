-- Tokens with which members' own programs call the API.
create table api_tokens (
  id text primary key,
  member_id text not null references members (id),
  -- Keyed hash of the token: the token itself is nowhere.
  token_hash text not null unique,
  name text not null,
  -- JSON: a list of scopes.
  scopes text not null,
  created_at bigint not null,
  expires_at bigint not null,
  -- To the minute.
  last_used_at bigint
);
create index api_tokens_member on api_tokens (member_id);
create index api_tokens_expires on api_tokens (expires_at);

-- The API token that acted, by its name then; null: a session did.
alter table audit add column token_name text;
