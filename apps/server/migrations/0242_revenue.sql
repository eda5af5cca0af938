-- Who paid before, and whose paid time ended when: for the club's revenue by month.
create index payments_paid on payments (member_id, period) where status = 'paid';
create index payments_paid_ends on payments (granted_until, member_id, period) where status = 'paid' and granted_until is not null;
