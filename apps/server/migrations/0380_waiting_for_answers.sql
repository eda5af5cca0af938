-- Since when a member waits for staff's answer in the chat or a ticket, ms; null: nothing of theirs waits.
alter table support_conversations add column waiting_since bigint;
-- Messages up to this sequence want no answer: staff said so.
alter table support_conversations add column settled_sequence integer not null default 0;
update support_conversations set waiting_since = (
  select min(m.created_at) from support_messages m
  where m.member_id = support_conversations.member_id and m.is_admin = 0
    and (m.ticket_id is null or exists (select 1 from support_tickets t where t.id = m.ticket_id and t.status <> 'closed'))
    and not exists (
      select 1 from support_messages a
      where a.member_id = m.member_id and a.is_admin = 1 and a.sequence > m.sequence
        and (a.ticket_id = m.ticket_id or (a.ticket_id is null and m.ticket_id is null))
    )
);
create index support_conversations_waiting on support_conversations (waiting_since, member_id) where waiting_since is not null;
