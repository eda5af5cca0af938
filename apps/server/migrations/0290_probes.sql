-- What the panel's own handshake with an interface last told. `since` is when that began, `checked_at` is renewed now and then.
create table probes (
  interface_id text primary key references interfaces (id),
  -- Where it was greeted: another address or port begins anew.
  target text not null,
  -- From the server's own machine, which says nothing about the way there.
  from_inside integer not null,
  state text not null,
  since bigint not null,
  checked_at bigint not null,
  -- The time that the last greeting named: an interface takes none that is earlier, also where the clock was wrong then.
  greeted_at bigint not null
);
