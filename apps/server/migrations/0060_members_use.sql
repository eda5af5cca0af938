-- What a member's devices make of him, kept beside his row so that staff's list can be sorted by it. month_as_of: the club's
-- day whose last 30 days month_bytes holds; an empty one is counted afresh, as every member is on the next day.
create table member_use (
  member_id text primary key references members (id),
  last_handshake_at bigint not null,
  month_bytes bigint not null,
  month_as_of text not null
);
insert into member_use (member_id, last_handshake_at, month_bytes, month_as_of) select id, 0, 0, '' from members;
create index member_use_handshake on member_use (last_handshake_at, member_id);
create index member_use_month on member_use (month_bytes, member_id);
create index member_use_as_of on member_use (month_as_of);
-- Search and its counts read the index alone; the blocked are few among many.
drop index members_listed;
create index members_listed on members (username_key, display_name_key, is_active, is_vip) where deleted_at is null;
create index members_states on members (is_active, is_vip) where deleted_at is null;
create index members_created on members (created_at, id) where deleted_at is null;
create index members_by_subscription on members
  ((case when is_unlimited = 1 then 9007199254740991 else coalesce(subscription_end, 0) end), id) where deleted_at is null;
create index audit_target on audit (target, at);
