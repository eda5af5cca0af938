-- Who invited a member with a code of his own; a staff code makes nobody a friend. Since when his friends earn him his subscription.
alter table members add column friend_of text;
alter table members add column referral_earned_at bigint;
update members set friend_of = invited_by
  where invite_code_id in (select id from invite_codes where kind = 'member');
create index members_friend_of on members (friend_of) where friend_of is not null;
create index members_referral_earned on members (referral_earned_at) where referral_earned_at is not null;
