-- A month by status, with its sums; and whether a member's month is recorded, member by member.
create index payments_status on payments (period, status, currency, amount, member_id);
create index payments_recorded on payments (period, member_id, status);
-- The few whom a month's sums leave out or count apart.
create index members_vip on members (id) where is_vip = 1 and deleted_at is null;
create index members_unlimited on members (id, is_vip) where is_unlimited = 1 and deleted_at is null;
create index members_deleted on members (id) where deleted_at is not null;
-- Who joined by a code, the newest first.
create index members_invite_code on members (invite_code_id, created_at, id) where deleted_at is null;
