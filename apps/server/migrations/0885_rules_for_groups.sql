-- The group of members that a rule is for; null: for everybody, or for the selected ones. `access_rule_members` follows the group.
alter table access_rules add column group_id text;
create index access_rules_group on access_rules (group_id) where group_id is not null;
