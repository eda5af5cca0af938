-- What the counters of a server's machine said last: the next look at it tells what passed in between.
create table server_readings (
  server_id text primary key references servers (id),
  at bigint not null,
  cpu_idle bigint not null,
  cpu_total bigint not null,
  network_in bigint not null,
  network_out bigint not null
);

-- How busy a machine was, in steps of five minutes for a day and of two hours for a month. Sums over the readings of a step.
create table server_samples (
  server_id text not null references servers (id),
  -- Seconds.
  step integer not null,
  -- The step's beginning.
  at bigint not null,
  readings integer not null,
  -- Thousandths of all cores.
  cpu bigint not null,
  -- Bytes.
  memory bigint not null,
  memory_total bigint not null,
  -- Thousandths.
  load bigint not null,
  -- Bytes per second.
  network_in bigint not null,
  network_out bigint not null,
  primary key (server_id, step, at)
);
create index server_samples_by_age on server_samples (step, at);
