import { inspect } from "node:util";
import { Bot } from "grammy";
import { expect, test, vi } from "vitest";
import { makeReadUpdates } from "./read-updates.ts";

const TOKEN = "654321:very-secret-token";

test.each([
  ["nobody listens there", "http://127.0.0.1:9"],
  ["it is no address at all", "http://[::1"],
])("whatever fails (%s), nothing that is logged or noted holds the token", async (_, apiRoot) => {
  const said: unknown[] = [];
  const say = (...words: unknown[]) => void said.push(words);
  const end = new AbortController();
  const reading = makeReadUpdates({
    leases: { take: async () => true, release: async () => {} },
    log: { debug: say, info: say, warn: say, error: say },
    states: {
      read: async () => ({ enabled: true, username: null, reason: "starting", since: null }),
      isReady: () => false,
      isRequired: async () => false,
      works: async () => {},
      fails: async (failure) => say(failure),
      forget: () => {},
    },
    linking: { noteBlocked: async () => {} },
    openBot: async () => new Bot(TOKEN, { client: { apiRoot } }),
  })(end.signal);
  await vi.waitFor(() => expect(said).not.toEqual([]), { timeout: 10_000 });
  end.abort();
  await reading;
  expect(inspect(said, { depth: 20 })).not.toContain("very-secret");
});
