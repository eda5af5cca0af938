-- What staff did can be added to and never changed, whatever program asks (decisions, section 14).
create trigger audit_keeps_rows before update on audit begin select raise(abort, 'the audit log is append-only'); end;
create trigger audit_loses_none before delete on audit begin select raise(abort, 'the audit log is append-only'); end;
-- 'insert or replace' would put a row in another's place without either of the two.
create trigger audit_replaces_none before insert on audit when exists (select 1 from audit where id = new.id) begin select raise(abort, 'the audit log is append-only'); end;
