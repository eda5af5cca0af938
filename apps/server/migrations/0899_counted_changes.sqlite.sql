-- Its triggers count each changed row by itself, and only what differs.
select 1;
