-- Lower case of the display name: staff search it without regard to case, in any script, which lower() is not for everywhere.
alter table members add column display_name_key text not null default '';
create index members_listed on members (username_key) where deleted_at is null;
