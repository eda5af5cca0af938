-- How many bytes a packet may have that leaves a server in one piece; null while nobody has measured it.
alter table servers add column path_mtu integer;
