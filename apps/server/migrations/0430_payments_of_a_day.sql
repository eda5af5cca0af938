-- What was paid on a day.
create index payments_paid_at on payments (paid_at) where paid_at is not null;
