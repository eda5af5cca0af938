import { once } from "node:events";
import { type AddressInfo, createServer, type Socket } from "node:net";
import pg from "pg";
import { expect, onTestFinished, test } from "vitest";
import { isPoolTimeout } from "./trouble.ts";

const failureOf = (work: Promise<unknown>) =>
  work.then(
    () => null,
    (error: Error) => error,
  );

/*
 * A machine so busy that connections take too long to open is not a database that is away: a watched server answers all the
 * while, and whoever asks again gets through.
 */
test("a connection that was not open in time is told by the driver's own words, whoever was waiting for it", async () => {
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
