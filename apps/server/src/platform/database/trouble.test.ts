import { once } from "node:events";
import { type AddressInfo, createServer, type Socket } from "node:net";
import pg from "pg";
import { expect, onTestFinished, test } from "vitest";
import { inOurWords, isPoolTimeout, isTroubled } from "./trouble.ts";

const failureOf = (work: Promise<unknown>) =>
  work.then(
    () => null,
    (error: Error) => error,
  );

// On a busy machine a connection can take too long to open. A watched server still answers, so it is busy, not away.
test("every driver message for a connection that opened too late counts as a pool timeout", async () => {
  const sockets: Socket[] = [];
  const silent = createServer((socket) => void sockets.push(socket)).listen(0, "127.0.0.1");
  await once(silent, "listening");
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    silent.close();
  });
  const { port } = silent.address() as AddressInfo;
  const options = { host: "127.0.0.1", port, connectionTimeoutMillis: 20 };
  const pool = new pg.Pool({ ...options, max: 1 });
  const [first, second] = await Promise.all([failureOf(pool.connect()), failureOf(pool.connect())]);
  const alone = await failureOf(new pg.Client(options).connect());
  await pool.end();
  for (const error of [first, second, alone])
    expect([error?.message, isPoolTimeout(error)]).toEqual([error?.message, true]);
  expect(isPoolTimeout(new Error("Connection terminated unexpectedly"))).toBe(false);
});

test.each([
  ["with SQLite's code", { errcode: 13 }],
  ["with its words only", {}],
])("a full disk is reported as such %s", (_, more) => {
  const error = Object.assign(new Error("database or disk is full"), { code: "ERR_SQLITE_ERROR" }, more);
  const ours = inOurWords(error);
  expect(isTroubled(ours) && ours.kind).toBe("full");
});

test("another error of SQLite's stays what it is", () => {
  const error = Object.assign(new Error("no such table: x"), { code: "ERR_SQLITE_ERROR" });
  expect(inOurWords(error)).toBe(error);
});
