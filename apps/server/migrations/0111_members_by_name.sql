-- Whoever bears a name is found by reading the index alone.
drop index members_listed;
create index members_listed on members (username_key, display_name_key, is_active, is_vip, id) where deleted_at is null;
