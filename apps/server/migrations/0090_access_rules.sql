-- Access rules (decisions, section 7). A target is canonical: an address, a network, or a domain name in ASCII.
create table access_rules (
  id text primary key,
  type text not null,
  kind text not null,
  target text not null,
  applies_to text not null,
  created_at bigint not null
);
create index access_rules_newest on access_rules (type, created_at, id);
create index access_rules_target on access_rules (target);
create table access_rule_members (
  rule_id text not null references access_rules (id),
  member_id text not null,
  primary key (rule_id, member_id)
);
create index access_rule_members_member on access_rule_members (member_id);
-- What the names of rules resolve to, as far as it is known. `addresses` is a JSON list, from the last time they were found.
create table access_rule_names (
  name text primary key,
  addresses text not null,
  found_at bigint,
  asked_at bigint not null,
  failing_since bigint,
  failure text
);
create index access_rule_names_asked on access_rule_names (asked_at);
-- Grows with every change of what servers should hold, and which state each of them holds.
create table access_rule_revision (id integer primary key, revision bigint not null);
insert into access_rule_revision (id, revision) values (1, 0);
create table access_rules_on_servers (
  server_id text primary key references servers (id),
  revision bigint not null,
  applied_at bigint,
  failure text
);
