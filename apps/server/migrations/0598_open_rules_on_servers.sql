-- The same as applied_at and failure, without changes that concern VIP members alone, of which only admins may know.
alter table access_rules_on_servers add column open_applied_at bigint;
alter table access_rules_on_servers add column open_failure text;
update access_rules_on_servers set open_applied_at = applied_at, open_failure = failure;
