-- Groups that staff sort members into; a member may be in several. `interface_ids` (JSON list): what its members may also use.
create table member_groups (
  id text primary key,
  name text not null,
  name_key text not null unique,
  interface_ids text not null,
  created_at bigint not null
);
create table group_members (
  group_id text not null references member_groups (id),
  member_id text not null references members (id),
  primary key (group_id, member_id)
);
create index group_members_member on group_members (member_id, group_id);
