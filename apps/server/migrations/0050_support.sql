-- A member's conversation with support: one line of messages, of which some belong to a ticket. Images lie beside them, so that
-- a backup of the database holds them. (SQLite keeps what it is given in a column of an unknown type: bytes stay bytes.)
create table support_conversations (
  member_id text primary key references members (id),
  last_sequence bigint not null,
  last_message_at bigint not null
);
create index support_conversations_last on support_conversations (last_message_at, member_id);
create table support_tickets (
  id text primary key,
  member_id text not null references members (id),
  subject text not null,
  category text not null,
  priority text not null,
  status text not null,
  assigned_to text references members (id),
  created_at bigint not null,
  updated_at bigint not null
);
create index support_tickets_member on support_tickets (member_id, created_at);
create index support_tickets_created on support_tickets (created_at, id);
create table support_messages (
  id text primary key,
  member_id text not null references members (id),
  sequence bigint not null,
  ticket_id text references support_tickets (id),
  author_id text not null references members (id),
  is_admin integer not null,
  content text not null,
  read_at bigint,
  idempotency_key text,
  idempotency_hash text,
  created_at bigint not null
);
create unique index support_messages_sequence on support_messages (member_id, sequence);
create index support_messages_ticket on support_messages (ticket_id, sequence) where ticket_id is not null;
create index support_messages_unread on support_messages (member_id, is_admin) where read_at is null;
create unique index support_messages_idempotency on support_messages (author_id, idempotency_key)
  where idempotency_key is not null;
create table support_attachments (
  id text primary key,
  message_id text not null references support_messages (id),
  member_id text not null references members (id),
  position integer not null,
  media text not null,
  bytes bytea not null,
  created_at bigint not null
);
create index support_attachments_message on support_attachments (message_id, position);
create index support_attachments_member on support_attachments (member_id, created_at);
