-- Who was named at the sign-in page as having lost a device, so that a stranger who knows a login can disturb once.
create table lost_devices (
  member_id text primary key references members (id) on delete cascade,
  asked_at bigint not null,
  ticket_id text
);
create index lost_devices_by_time on lost_devices (asked_at);

-- asked, cut or declined; null: another kind of ticket.
alter table support_tickets add column lost_device text;
