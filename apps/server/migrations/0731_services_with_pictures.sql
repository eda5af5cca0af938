-- How members tell services apart: an emoji or a letter, a sentence, a group of the list.
alter table services add column picture text not null default '';
alter table services add column description text not null default '';
alter table services add column group_name text not null default 'other';
