-- Which machine a server is, as a hash of the machine's own id: a panel that lost its identity finds its server again.
alter table servers add column machine text;
