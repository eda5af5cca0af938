-- Codes that counted under a clock that ran ahead must not count when their time comes: the last ones are kept, not the last one.
alter table two_factor add column used_steps text not null default '[]';
update two_factor set used_steps = '[' || last_used_step || ']' where last_used_step is not null;
alter table two_factor drop column last_used_step;
