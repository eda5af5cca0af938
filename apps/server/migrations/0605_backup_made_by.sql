-- Which panel made the last good backup: a folder can be looked into only where it is.
alter table scheduled_backups add column made_by text;
