-- Of a domain: when each of its addresses was last among a resolver's answers; JSON.
alter table list_sources add column seen text;
