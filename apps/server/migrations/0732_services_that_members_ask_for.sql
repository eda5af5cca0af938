-- The name of a service that a member asks for; null: another kind of ticket. And the service that was added for it.
alter table support_tickets add column wished_service text;
alter table support_tickets add column wished_service_id text;
