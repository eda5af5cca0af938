-- Whose trial runs is looked for among the few who have one.
create index members_trial on members (subscription_end) where subscription_source = 'trial' and deleted_at is null;
