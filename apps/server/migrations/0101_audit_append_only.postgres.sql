-- What staff did can be added to and never changed, whatever program asks (decisions, section 14).
create function audit_is_append_only() returns trigger language plpgsql as $$ begin raise exception 'the audit log is append-only'; end $$;
create trigger audit_is_append_only before update or delete or truncate on audit for each statement execute function audit_is_append_only();
