-- Where the last good one stands: the place may be another since.
alter table scheduled_backups add column place_kind text;
alter table scheduled_backups add column place text;
-- Names that were begun and are not known to be good: they go from the place, also after a panel that died. A JSON array.
alter table scheduled_backups add column unproven text not null default '[]';
