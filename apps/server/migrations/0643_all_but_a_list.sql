-- 1: the service is every address but those of the list.
alter table service_texts add column all_but integer not null default 0;
