-- The kind of tunnel from its server to exits: wireguard or amneziawg.
alter table interfaces add column exit_link text not null default 'wireguard';
alter table exit_links add column type text not null default 'wireguard';
-- What both sides of an AmneziaWG link share, JSON, by the names on a control socket.
alter table exit_links add column parameters text not null default '{}';
