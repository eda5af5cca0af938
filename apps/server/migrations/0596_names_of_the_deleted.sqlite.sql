-- Whom an event is about: the username joins it when it is sent, so that a deleted member's is kept nowhere.
alter table webhook_events add column member_id text references members (id);
-- Of somebody who is being deleted: sealed, until the event has arrived everywhere or was given up.
alter table webhook_events add column sealed_username text;
create index webhook_events_sealed on webhook_events (id) where sealed_username is not null;

update webhook_events set
  member_id = (select id from members where id = json_extract(data, '$.memberId')),
  data = json_remove(data, '$.username')
where json_valid(data) and json_extract(data, '$.memberId') is not null;

-- Who was deleted before left names here too.
update configs set name = '', name_key = '' where member_id in (select id from members where deleted_at is not null and username = '');
