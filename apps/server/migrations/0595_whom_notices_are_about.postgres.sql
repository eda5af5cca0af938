-- Another member whom a notice names: it is hidden from those for whom that member does not exist, and goes with the member.
alter table notices add column about_id text references members (id);
-- It counts VIP members in, of whom only admins may know.
alter table notices add column counts_vip integer not null default 0;
create index notices_about on notices (about_id) where about_id is not null;

update notices set about_id = (select id from members where id = (notices.params::json ->> 'memberId'))
where kind = 'member_joined';
update notices set about_id = (select member_id from support_tickets where id = (notices.params::json ->> 'ticketId'))
where kind = 'ticket_opened';
update notices set about_id = (
  select min(id) from members
  where friend_of = notices.member_id and display_name = (notices.params::json ->> 'friend') and deleted_at is null
)
where kind = 'referral_ends';
update notices set counts_vip = 1
where kind = 'daily_digest' and member_id in (select id from members where role = 'admin');
-- Those about members who were deleted since.
delete from notices
where kind in ('member_joined', 'ticket_opened', 'referral_ends')
  and (about_id is null or about_id in (select id from members where deleted_at is not null));
