-- What keeps a server from passing on what members send, as JSON; null while nothing is known to.
alter table servers add column forwarding text;
-- Other programs' firewalls on its machine are kept open for its tunnels.
alter table servers add column opens_forwarding integer not null default 0;
