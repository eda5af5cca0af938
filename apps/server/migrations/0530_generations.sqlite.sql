-- Which panel of the club is the current one (ADR 76). A restore raises the number; machines remember the highest that they have obeyed.
create table generation (
  one integer primary key check (one = 1),
  -- Names the club on its machines. A club from before takes its first member's id, so that an older copy of it has the same name.
  club text not null,
  number bigint not null,
  -- Tells two restores of one backup apart.
  token text not null,
  -- When it began, ms; 0 for a club's first.
  since bigint not null,
  -- The newer one that a machine showed, which machine that was, and when: this panel has stopped its work since.
  newer_number bigint,
  newer_since bigint,
  newer_on text,
  newer_seen_at bigint
);
insert into generation (one, club, number, token, since)
  select 1, club, 1, club, 0 from (select coalesce(
    (select id from members order by created_at, id limit 1),
    lower(hex(randomblob(4)) || '-' || hex(randomblob(2)) || '-4' || substr(hex(randomblob(2)), 2) || '-a' ||
      substr(hex(randomblob(2)), 2) || '-' || hex(randomblob(6)))
  ) as club) as own;

-- Set by a restore until the server's machine was seen: what is on the wire there and not in the backup stays.
alter table interfaces add column first_look_due integer not null default 0;

-- Peers that were on the wire when a restored panel first looked, and that its backup does not know. They stay until an admin decides.
create table unknown_peers (
  id text primary key,
  interface_id text not null references interfaces (id),
  public_key text not null,
  sealed_preshared_key text not null,
  -- Bare addresses in the tunnel.
  address text not null,
  address_v6 text,
  address_number bigint not null,
  found_at bigint not null,
  unique (interface_id, public_key),
  unique (interface_id, address_number)
);
