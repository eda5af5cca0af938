-- An interface of another program that the club takes over or has taken over, and the way back to it; one for each server.
create table old_programs (
  server_id text not null primary key references servers (id),
  -- Of this attempt.
  id text not null,
  name text not null,
  -- JSON: how the program starts its interface.
  how text not null,
  public_key text not null,
  -- JSON: what becomes of its devices, until they are written.
  wish text,
  -- 1: the club has its interface, or had it.
  taken integer not null default 0,
  -- 1: other firewalls of the machine were opened for it.
  opened integer not null default 0,
  state text not null,
  -- JSON: why it went back, and why that does not succeed yet.
  why text,
  trouble text,
  sealed_invited text,
  started_by text,
  started_at bigint not null
);
