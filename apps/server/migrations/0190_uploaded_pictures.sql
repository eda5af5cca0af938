-- Pictures that members uploaded and have sent with nothing yet; what is sent moves to where it belongs.
create table uploaded_pictures (
  id text primary key,
  member_id text not null references members (id),
  media text not null,
  -- SQLite knows no type of this name and keeps what it is given.
  bytes bytea not null,
  uploaded_at bigint not null
);
create index uploaded_pictures_member on uploaded_pictures (member_id, uploaded_at);
create index uploaded_pictures_age on uploaded_pictures (uploaded_at);
