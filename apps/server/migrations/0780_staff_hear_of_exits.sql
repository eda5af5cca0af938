-- Since when traffic cannot leave by the exit, as staff were notified; null if they were not, or were told that it can again.
alter table exit_links add column gone_since bigint;
-- Since when what is sent by the link gets no further than the exit; null while it does, or if that is not known.
alter table exit_links add column stuck_since bigint;
-- Whether it has carried anything yet. One that went down or came back has.
alter table exit_links add column has_answered integer not null default 0;
