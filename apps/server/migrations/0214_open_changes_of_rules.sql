-- The newest change of the rules that concerns anybody but VIP members.
alter table access_rule_revision add column open_revision bigint not null default 0;
update access_rule_revision set open_revision = revision;
