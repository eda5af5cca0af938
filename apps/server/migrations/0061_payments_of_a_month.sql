-- A month by status, with its sums.
create index payments_status on payments (period, status, currency, amount, member_id);
-- The last month of a member's that staff decided on, YYYY-MM: whoever is still to pay is found without asking for each member.
alter table members add column settled_period text not null default '';
update members set settled_period =
  coalesce((select max(period) from payments where member_id = members.id and status <> 'pending'), '');
create index members_unsettled on members (settled_period, id) where deleted_at is null;
-- The few whom a month's sums leave out or count apart.
create index members_vip on members (id, deleted_at) where is_vip = 1;
create index members_unlimited on members (id, is_vip) where is_unlimited = 1 and deleted_at is null;
create index members_deleted on members (id) where deleted_at is not null;
-- Who joined by a code, the newest first.
create index members_invite_code on members (invite_code_id, created_at, id) where deleted_at is null;
