-- The bot that sent the message; another one numbers its messages from the start again. null: sent by a panel of an earlier version.
alter table telegram_messages add column bot_id text;
