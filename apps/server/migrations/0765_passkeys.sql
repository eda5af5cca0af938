-- Passkeys with which members sign in, and staff pass the second factor.
create table passkeys (
  id text primary key,
  member_id text not null references members (id),
  -- As the authenticator calls it, base64url.
  credential_id text not null unique,
  -- COSE, base64url. Not a secret.
  public_key text not null,
  -- JSON: how browsers reach the authenticator.
  transports text not null,
  -- Uses that the authenticator counted; 0: it does not count.
  counter bigint not null,
  -- The host that it works at: browsers offer it nowhere else.
  host text not null,
  name text not null,
  created_at bigint not null,
  last_used_at bigint
);
create index passkeys_member on passkeys (member_id);

-- What an authenticator was asked to sign, until it is answered: once, within minutes, and on any panel of the club.
create table passkey_challenges (
  challenge_hash text primary key,
  purpose text not null,
  -- Keyed hash of the session, or of a guest's address.
  asked_by text not null,
  expires_at bigint not null
);
create index passkey_challenges_asked on passkey_challenges (asked_by, expires_at);
create index passkey_challenges_end on passkey_challenges (expires_at);
