-- Lists that services had: what a file that was downloaded then routes.
create table past_lists (
  service_id text not null references services (id) on delete cascade,
  seq integer not null,
  -- In force until then.
  until_at bigint not null,
  ips text not null,
  primary key (service_id, seq)
);

create table file_marks (
  config_id text primary key references configs (id) on delete cascade,
  -- When a service's list last marked it.
  marked_at bigint,
  -- The first mark of the week in which its owner gets one notice.
  week_at bigint,
  -- It lacks something, and must not be marked before then.
  due_at bigint
);
create index file_marks_by_due on file_marks (due_at) where due_at is not null;
