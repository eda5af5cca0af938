-- Who did it in which session and from what kind of device, and whom it concerns where the target is a thing of his.
alter table audit add column session_id text;
alter table audit add column device text;
alter table audit add column member_id text;
update audit set member_id = target where target in (select id from members);
drop index audit_at;
drop index audit_target;
create index audit_at on audit (at, id);
create index audit_of_actor on audit (actor_id, at, id);
create index audit_of_member on audit (member_id, at, id);
create index audit_of_action on audit (action, at, id);
-- What names a member, apart from the entry: entries stay for good, names go with him (decisions, section 2).
create table audit_names (
  entry_id text primary key,
  member_id text not null,
  before text,
  after text
);
create index audit_names_of_member on audit_names (member_id);
