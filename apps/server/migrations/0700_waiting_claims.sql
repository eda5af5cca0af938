-- Claims that wait for staff, among all that were ever decided.
create index payment_claims_state on payment_claims (state, claimed_at, id);
