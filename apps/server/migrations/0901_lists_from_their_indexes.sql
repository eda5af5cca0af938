-- What waits for the wire is found in the index alone again: since 0830 a dormant config does not wait.
drop index configs_off_wire;
create index configs_off_wire on configs (member_id, interface_id)
  where on_wire = 0 and is_blocked = 0 and dormant_since is null and deleted_at is null;
-- Months are added up from the index, for one currency after the other.
create index payments_by_currency on payments (currency, paid_at, amount, member_id) where paid_at is not null;
