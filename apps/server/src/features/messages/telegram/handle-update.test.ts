import type { Bot } from "grammy";
import type { Update } from "grammy/types";
import { expect, test } from "vitest";
import { makeHandleUpdate } from "./handle-update.ts";

test("what a changed app sends reaches no database with a NUL in it, and everything else as it was", async () => {
  const handled: Update[] = [];
  const handle = makeHandleUpdate({
    log: { debug() {}, info() {}, warn() {}, error() {} },
    linking: { noteBlocked: async () => {} },
    bot: { handleUpdate: async (update: Update) => void handled.push(update) } as unknown as Bot,
  });
  const pressed = (data: string, first_name: string) =>
    ({ update_id: 1, callback_query: { data, from: { id: 501, first_name } } }) as Update;
  await handle(pressed("file:\0a\0", "Ма\0рина"));
  await handle(pressed("file:\\u0000", "Марина"));
  expect(handled).toEqual([pressed("file:a", "Марина"), pressed("file:\\u0000", "Марина")]);
});
