-- How fast a member is once the quota is used up, if its end slows down ('slow'), Mbit/s.
-- quota_slowed_until: when the month in which it was used up ends, ms; null while it is not, or where its end does not slow down.
alter table members add column quota_slow_mbit integer not null default 5;
alter table members add column quota_slowed_until bigint;
create index members_quota_slowed on members (quota_slowed_until) where quota_slowed_until is not null;
alter table templates add column quota_slow_mbit integer not null default 5;
