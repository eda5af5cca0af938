-- Answers that members have not seen, by their age.
create index support_messages_unseen on support_messages (created_at) where read_at is null and is_admin = 1;
