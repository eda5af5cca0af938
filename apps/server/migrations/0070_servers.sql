-- Who has an interface or a server assigned, in the order in which their lists are read.
create index interface_assignments_interface on interface_assignments (interface_id, member_id);
create index server_assignments_server on server_assignments (server_id, member_id);
-- How many configs an interface carries, how many of them stand on the wire and how many files were given out: the counts read
-- this index alone.
create index configs_counted on configs (interface_id, on_wire, delivered_at) where deleted_at is null;
-- How many configs a resolver is in, by the index alone.
create index configs_dns_living on configs (dns_id, delivered_at) where deleted_at is null;
