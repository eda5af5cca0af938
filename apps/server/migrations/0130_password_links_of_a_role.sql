-- The role for which a password link was made: it opens no account of another one.
alter table one_time_links add column member_role text;
update one_time_links set member_role = (select role from members where members.id = one_time_links.member_id);
