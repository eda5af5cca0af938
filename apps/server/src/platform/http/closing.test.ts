import { once } from "node:events";
import { connect } from "node:net";
import { setTimeout as wait } from "node:timers/promises";
import fastify from "fastify";
import { expect, test } from "vitest";
import { closeGently } from "./closing.ts";

test("a request that was answered before fastify saw it counts as one that just came", async () => {
  const server = fastify();
  const ended: string[] = [];
  closeGently(server, { lastAt: () => performance.now(), end: () => void ended.push("no more") });
  await server.listen({ host: "127.0.0.1", port: 0 });
  const startedAt = performance.now();
  await server.close();
  expect(performance.now() - startedAt).toBeGreaterThan(90);
  expect(ended).toEqual(["no more"]);
});

test("a request received while the process was blocked is answered before its connection counts as idle", async () => {
  const server = fastify();
  closeGently(server);
  server.get("/", () => "here");
  const { hostname, port } = new URL(await server.listen({ host: "127.0.0.1", port: 0 }));
  const socket = connect(Number(port), hostname);
  let answers = "";
  socket.on("data", (chunk) => {
    answers += chunk.toString();
  });
  const ask = () => socket.write("GET / HTTP/1.1\r\nHost: x\r\n\r\n");
  ask();
  await once(socket, "data");
  await wait(150); // longer than the server waits for a client that has just asked
  answers = "";
  const closed = server.close();
  // It has begun to close, and waits before it ends idle connections.
  await wait(60);
  // Timers run next, before the received data is read.
  await new Promise((resolve) => setImmediate(resolve));
  ask();
  const heldUpUntil = performance.now() + 200;
  while (performance.now() < heldUpUntil);
  await once(socket, "close");
  await closed;
  expect(answers).toMatch(/^HTTP\/1.1 \d{3} /);
});
