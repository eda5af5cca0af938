-- How many devices of an interface should be on line and are, in steps of five minutes for a day and of two hours for a month. Sums
-- over the looks of a step.
create table reach_samples (
  interface_id text not null references interfaces (id),
  -- Seconds.
  step integer not null,
  -- The step's beginning, ms.
  at bigint not null,
  looks integer not null,
  expected bigint not null,
  online bigint not null,
  primary key (interface_id, step, at)
);
create index reach_samples_by_age on reach_samples (step, at);

-- Interfaces whose devices went at once, as their networks may block it; staff were told.
create table reach_cliffs (
  interface_id text primary key references interfaces (id),
  -- ms.
  since bigint not null,
  -- Of the devices that were expected then, on line: thousandths.
  share integer not null
);
