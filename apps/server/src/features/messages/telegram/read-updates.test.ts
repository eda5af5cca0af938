import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { inspect } from "node:util";
import { gzipSync } from "node:zlib";
import { Bot, type HttpError } from "grammy";
import { expect, onTestFinished, test, vi } from "vitest";
import { clientOf } from "./client-of.ts";
import { makeReadUpdates } from "./read-updates.ts";

const TOKEN = "654321:very-secret-token";

const answering = (status: number, body: string | Buffer, headers = {}) =>
  new Promise<string>((resolve) => {
    const server = createServer((_, response) => response.writeHead(status, headers).end(body));
    onTestFinished(() => {
      server.closeAllConnections();
      server.close();
    });
    server.listen(0, "127.0.0.1", () => resolve(`http://127.0.0.1:${(server.address() as AddressInfo).port}`));
  });

test.each([
  ["nobody listens there", async () => "http://127.0.0.1:9"],
  ["a web page answers instead of the Bot API", () => answering(200, "<html></html>")],
  ["the token is refused", () => answering(401, '{"ok":false,"error_code":401,"description":"Unauthorized"}')],
])("whatever fails (%s), nothing logged or stored contains the token", async (_, place) => {
  const apiRoot = await place();
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
    webhook: null,
    bot: new Bot(TOKEN, { client: { apiRoot } }),
    handleUpdate: async () => {},
    app: null,
  })(end.signal);
  await vi.waitFor(() => expect(said).not.toEqual([]), { timeout: 10_000 });
  end.abort();
  await reading;
  expect(inspect(said, { depth: 20 })).not.toContain("very-secret");
});

test("an answer is limited after decompression", async () => {
  const apiRoot = await answering(200, gzipSync(Buffer.alloc(200 * 2 ** 20, " ")), { "content-encoding": "gzip" });
  const { api } = new Bot(TOKEN, { client: clientOf(apiRoot, 60) });
  const failure: unknown = await api.getMe().catch((error: unknown) => error);
  expect((failure as HttpError).error).toMatchObject({ type: "max-size" });
});
