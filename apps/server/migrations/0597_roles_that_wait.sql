-- A role that takes effect once the member has a password that is long enough for it.
alter table members add column pending_role text;
-- 1: the password is known to be long enough for staff. Of passwords from before that is known at the next sign-in.
alter table members add column staff_password integer not null default 0;
