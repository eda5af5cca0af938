-- Which master key the sealed texts of this database are under, and the one that is being left behind while they are re-sealed. One row.
create table sealing (
  one integer primary key check (one = 1),
  key_id text not null,
  previous_key_id text,
  sealed_hash_key text not null
);
