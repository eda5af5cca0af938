-- How the panel reaches a server's machine over SSH; all null for the machine of a panel.
alter table servers add column ssh_host text;
alter table servers add column ssh_port integer;
alter table servers add column ssh_username text;
-- Until set-up has put the panel's own key there.
alter table servers add column sealed_password text;
-- Fingerprints: the pinned key's, and another one's that the machine has shown since; then nothing is done there until an admin
-- accepts it.
alter table servers add column host_key text;
alter table servers add column shown_host_key text;
-- Why there is no connection, in a word; unreachable_reason says it in a sentence.
alter table servers add column unreachable_problem text;
-- Staff were told that it does not answer.
alter table servers add column gone_told integer not null default 0;
-- What the machine is, as JSON: read at first contact.
alter table servers add column about text;
-- Becomes the main server when its set-up completes.
alter table servers add column wants_main integer not null default 0;
-- The panel's helper and key are on the machine.
alter table servers add column is_prepared integer not null default 0;
-- Set-up steps before this moment are of a machine that is not there any more.
alter table servers add column setup_since bigint;
create unique index servers_ssh on servers (ssh_host, ssh_port) where ssh_host is not null and deleted_at is null;
-- The panel's own SSH key, the same for every panel on the database.
create table ssh_key (
  id text primary key,
  public_key text not null,
  sealed_private_key text not null,
  created_at bigint not null
);
-- One try of a set-up step.
create table setup_runs (
  id text primary key,
  server_id text not null references servers (id),
  step text not null,
  state text not null,
  -- The marker of its end, and what the machine said with it.
  failure text,
  detail text,
  -- Lines kept so far.
  lines integer not null,
  -- Lines of the machine itself heard so far.
  heard integer not null,
  cancelled integer not null,
  started_by text,
  started_at bigint not null,
  ended_at bigint
);
create index setup_runs_server on setup_runs (server_id, started_at);
create unique index setup_runs_running on setup_runs (server_id) where state = 'running';
create table setup_lines (
  run_id text not null references setup_runs (id),
  number integer not null,
  at bigint not null,
  text text not null,
  primary key (run_id, number)
);
