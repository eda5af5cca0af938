-- A server's round looks for the peers that leave its own interfaces, not for those of the whole club: at midnight these are many.
create index configs_leaving_on on configs (interface_id) where leaving_key is not null;
