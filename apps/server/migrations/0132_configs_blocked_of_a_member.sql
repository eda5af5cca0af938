-- That a member's configs are blocked holds for those to come too.
alter table members add column configs_blocked integer not null default 0;
update members set configs_blocked = 1
  where id in (select member_id from configs where is_blocked = 1 and deleted_at is null);
