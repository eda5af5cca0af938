-- How many bytes a member may use in a month of the club (null: any), and whether its end tells or cuts ('tell', 'cut').
-- quota_used_up_until: when the month in which it was used up ends, ms; null while it is not, or where its end only tells.
alter table members add column quota_bytes bigint;
alter table members add column quota_at_end text not null default 'cut';
alter table members add column quota_used_up_until bigint;
create index members_quota_used_up on members (quota_used_up_until) where quota_used_up_until is not null;
-- What counts towards it: the bytes of one month (YYYY-MM), those before a payment or a reset left out.
alter table member_use add column period text not null default '';
alter table member_use add column period_bytes bigint not null default 0;
