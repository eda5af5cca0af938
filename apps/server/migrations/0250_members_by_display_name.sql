-- Staff's lists come by the name that stands first in a row; whoever bears a name is still found by reading the index alone.
drop index members_listed;
create index members_listed on members (display_name_key, username_key, is_active, is_vip, id) where deleted_at is null;
