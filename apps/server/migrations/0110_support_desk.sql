-- What was written, in lower case and apart from the rest, so that staff's search reads little.
create table support_texts (
  member_id text not null references members (id),
  sequence bigint not null,
  content text not null,
  primary key (member_id, sequence)
);
insert into support_texts (member_id, sequence, content)
  select member_id, sequence, lower(content) from support_messages where content <> '';
alter table support_tickets add column subject_key text not null default '';
update support_tickets set subject_key = lower(subject);
-- Who has answered whom, and what is in whose hands.
create index support_messages_answered on support_messages (author_id, member_id) where is_admin = 1;
create index support_tickets_status on support_tickets (status, created_at, id, member_id);
create index support_tickets_hands on support_tickets (assigned_to, created_at) where assigned_to is not null;
