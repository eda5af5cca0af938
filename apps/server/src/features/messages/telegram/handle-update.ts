import type { Bot } from "grammy";
import type { Update } from "grammy/types";
import type { Log } from "../../../platform/log.ts";
import { detailsOf, failureOf } from "./failure.ts";
import type { Linking } from "./linking.ts";

/** An update that a bug of ours fails this often is skipped, so that it does not block everyone permanently. */
const TRIES = 5;

interface Parts {
  log: Log;
  linking: Pick<Linking, "noteBlocked">;
  bot: Bot;
}

export type HandleUpdate = ReturnType<typeof makeHandleUpdate>;

/** Handles an update. If it throws, the same update must come again. */
export function makeHandleUpdate({ log, linking, bot }: Parts) {
  let failing = { id: 0, tries: 0 };
  return async (update: Update): Promise<void> => {
    try {
      await bot.handleUpdate(storable(update));
    } catch (thrown) {
      const error = causeOf(thrown);
      const failure = failureOf(error);
      const from = personIn(update);
      if (failure?.kind === "person_gone" && from !== undefined) await linking.noteBlocked(String(from));
      else if (failure?.kind === "refused") log.warn({ reason: failure.reason }, "Telegram refused an answer");
      else {
        const { update_id: id } = update;
        failing = { id, tries: failing.id === id ? failing.tries + 1 : 1 };
        if (failing.tries < TRIES) throw error;
        log.error(detailsOf(error), "a message to the bot could not be handled and is left");
      }
    }
  };
}

/**
 * Without NUL, which PostgreSQL stores in no text. A changed app can send it in a button's data, and one update that fails keeps
 * everybody else's waiting.
 */
function storable(update: Update): Update {
  const text = JSON.stringify(update);
  if (!text.includes("\\u0000")) return update;
  return JSON.parse(text, (_, value: unknown) =>
    typeof value === "string" ? value.replaceAll("\0", "") : value,
  ) as Update;
}

/** The library wraps what a handler threw together with its whole context. */
export const causeOf = (thrown: unknown): unknown =>
  thrown instanceof Error && thrown.name === "BotError" ? (thrown as Error & { error: unknown }).error : thrown;

const personIn = ({ message, callback_query, my_chat_member }: Update) =>
  (message ?? callback_query ?? my_chat_member)?.from?.id;
