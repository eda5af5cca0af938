-- 1: another program has this deleted interface's key on the machine again, and the panel leaves it alone there.
alter table interfaces add column given_back integer not null default 0;
