-- Texts that staff begin answers with.
create table answer_templates (
  id text primary key,
  title text not null,
  title_key text not null unique,
  content text not null,
  created_at bigint not null
);
