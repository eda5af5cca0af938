-- Which devices were cut by a ticket of a lost device: a JSON list of { id, name }. Null: none, or before it was noted.
alter table support_tickets add column lost_cut text;
