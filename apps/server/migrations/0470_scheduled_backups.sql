-- Scheduled backups: how the last one went. One row, once they are switched on.
create table scheduled_backups (
  one integer primary key check (one = 1),
  -- Until there is a good one, its age counts from here.
  since bigint not null,
  tried_at bigint,
  good_at bigint,
  bytes bigint,
  -- Why the last one is not good.
  problem text,
  -- When staff were told that there was no good one for too long; null once there is.
  told_at bigint
);
