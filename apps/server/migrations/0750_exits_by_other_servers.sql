-- What happens while an exit does not answer: wait, direct, or the id of another server.
alter table interfaces add column exit_down text not null default 'wait';

-- The tunnel between a server whose members' traffic leaves by another one, and that one.
create table exit_links (
  id text primary key,
  -- Names its interfaces on both machines, and its traffic on the entry's.
  number integer not null,
  entry_id text not null,
  exit_id text not null,
  subnet text not null,
  subnet_v6 text not null,
  -- Where the entry reaches the exit.
  address text not null,
  exit_port integer not null,
  entry_port integer not null,
  entry_public_key text not null,
  sealed_entry_key text not null,
  exit_public_key text not null,
  sealed_exit_key text not null,
  keys_at bigint not null,
  -- Why a machine could not set up its side.
  entry_conflict text,
  exit_conflict text,
  -- Null while the exit answers.
  down_since bigint,
  created_at bigint not null
);
create unique index exit_links_by_servers on exit_links (entry_id, exit_id);
create unique index exit_links_by_number on exit_links (number);

-- Keys of links that servers have or had: only interfaces with a key of ours are touched there.
create table exit_link_keys (
  server_id text not null,
  public_key text not null,
  primary key (server_id, public_key)
);
