-- The months that one payment was for; null: it was for this month alone.
alter table payments add column prepayment_id text;
alter table payments add column prepayment_months integer;
-- How many months a member says to have paid for, and the sum they were shown, in hundredths.
alter table payment_claims add column months integer not null default 1;
alter table payment_claims add column amount bigint;
alter table payment_claims add column currency text;
