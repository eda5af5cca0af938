-- Signed requests by which others' programs hear what happens.
create table webhooks (
  id text primary key,
  description text not null,
  -- Sealed: many receivers take whoever knows their address for the club.
  sealed_url text not null,
  -- JSON: a list of events.
  events text not null,
  is_enabled integer not null,
  -- Why the panel itself switched it off.
  off_because text,
  sealed_secret text not null,
  -- Signs beside the new one until then.
  sealed_former_secret text,
  former_until bigint,
  -- In a row, and since when; nothing is sent while it is paused.
  failures integer not null,
  failing_since bigint,
  paused_until bigint,
  created_at bigint not null
);

-- What happened while a webhook wanted to hear of it.
create table webhook_events (
  id text primary key,
  type text not null,
  -- JSON.
  data text not null,
  -- Of this very occasion: it is recorded once.
  once_key text unique,
  created_at bigint not null
);
create index webhook_events_created on webhook_events (created_at);

create table webhook_deliveries (
  webhook_id text not null references webhooks (id) on delete cascade,
  event_id text not null references webhook_events (id) on delete cascade,
  -- Grows with time.
  turn bigint not null,
  state text not null,
  attempts integer not null,
  -- Those before it was last sent again by hand.
  former_attempts integer not null,
  waiting_since bigint not null,
  -- Null: it waits no longer.
  next_at bigint,
  last_at bigint,
  last_status integer,
  last_problem text,
  duration_ms integer,
  primary key (webhook_id, event_id)
);
create index webhook_deliveries_due on webhook_deliveries (webhook_id, next_at) where next_at is not null;
create index webhook_deliveries_log on webhook_deliveries (webhook_id, turn);
create index webhook_deliveries_state on webhook_deliveries (webhook_id, state, turn);
create index webhook_deliveries_event on webhook_deliveries (event_id);
