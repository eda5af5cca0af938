-- A link counts as down from the moment it is made until it first answers. One that went down later had answered.
update exit_links set has_answered = 1 where down_since is null or down_since > created_at;
