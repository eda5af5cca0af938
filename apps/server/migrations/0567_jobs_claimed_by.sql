-- The process that claimed a job: another that has taken over its lane's lease need not wait for the lock to run out.
alter table jobs add column claimed_by text;
