-- Why a server that routes does not resolve services' names itself: a reason; null if it does or need not.
alter table servers add column names_failure text;
