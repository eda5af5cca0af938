-- Names the life of the raw counters: under another name they began at zero. Null where nobody knows.
alter table traffic_counters add column life text;
