-- Grows whenever a lease that is held on and on changes hands, so that what an earlier holder still does can be told.
alter table leases add column number bigint not null default 0;
