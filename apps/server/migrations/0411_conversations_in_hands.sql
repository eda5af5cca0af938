-- Who on staff takes care of a member's conversation; null: nobody in particular.
alter table support_conversations add column assigned_to text references members (id);
create index support_conversations_hands on support_conversations (assigned_to) where assigned_to is not null;
-- Whom one has answered is no longer asked for: 'mine' is what is in one's hands.
drop index support_messages_answered;
