-- Who confirmed or declined a claim: a colleague who comes second reads it.
alter table payment_claims add column decided_by text;
