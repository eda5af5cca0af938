import { setTimeout as wait } from "node:timers/promises";
import { expect, onTestFinished, test } from "vitest";
import { systemClock } from "../clock.ts";
import { outsideRequests } from "./current-request.ts";
import { makeHttpServer } from "./server.ts";

const ID = /^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/;

type Line = { level: number; msg: string; requestId?: string; err?: { message: string } };

/** A server whose log the test reads, line by line as an operator would. */
async function aServer() {
  const lines: Line[] = [];
  const server = await makeHttpServer({
    clock: systemClock,
    logLevel: "debug",
    trusts: () => false,
    secure: false,
    framesItself: false,
    logTo: { write: (line) => void lines.push(JSON.parse(line)) },
  });
  onTestFinished(() => server.close());
  server.get("/fails", () => Promise.reject(new Error("it is broken")));
  server.get("/deep", async () => {
    await wait(1);
    server.log.warn({}, "code below the routes");
    return {};
  });
  server.post("/body", { config: { body: { kind: "json", bytes: 1_000, values: 10 } } }, async () => {
    server.log.warn({}, "after the body");
    return {};
  });
  server.get("/begins", async () => {
    setTimeout(() => server.log.warn({}, "a timer that outlives it"), 30);
    outsideRequests(() => server.log.warn({}, "work for all"));
    return {};
  });
  const origin = await server.listen({ port: 0, host: "127.0.0.1" });
  const ask = async (path: string, init?: RequestInit) => {
    const answer = await fetch(`${origin}${path}`, init);
    return { id: answer.headers.get("x-request-id") ?? "", text: await answer.text(), status: answer.status };
  };
  const said = (msg: string) => lines.filter((line) => line.msg === msg);
  return { ask, said, lines };
}

test("each answer carries its own id, which a request cannot choose", async () => {
  const { ask } = await aServer();
  const ids: string[] = [];
  for (const headers of [new Headers(), new Headers({ "x-request-id": "mine", "request-id": "mine" })])
    for (const path of ["/deep", "/nothing-here", "/%E0%A4%A"]) ids.push((await ask(path, { headers })).id);
  expect(ids.filter((id) => !ID.test(id))).toEqual([]);
  expect(new Set(ids).size).toBe(ids.length);
});

test("a failure is reported with its number, which is also in the log's line", async () => {
  const { ask, said } = await aServer();
  const { id, text, status } = await ask("/fails");
  expect(status).toBe(500);
  expect(JSON.parse(text).error.message).toContain(id);
  expect(said("an unexpected error")).toMatchObject([{ requestId: id, err: { message: "it is broken" } }]);
  await expect.poll(() => said("answered")).toMatchObject([{ requestId: id }]);
});

test("code below the routes logs with its own request's id, also among many and after a body", async () => {
  const { ask, said } = await aServer();
  const answers = await Promise.all(Array.from({ length: 20 }, () => ask("/deep")));
  const logged = said("code below the routes").map(({ requestId }) => requestId);
  expect(logged.sort()).toEqual(answers.map(({ id }) => id).sort());
  const { id } = await ask("/body", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: '{"a":1}',
  });
  expect(said("after the body")).toMatchObject([{ requestId: id }]);
});

test("what a request started, and what serves all of them, is logged without its id", async () => {
  const { ask, said, lines } = await aServer();
  await ask("/begins");
  await expect.poll(() => said("a timer that outlives it")).toHaveLength(1);
  const others = lines.filter(({ msg }) => msg === "a timer that outlives it" || msg === "work for all");
  expect(others.map((line) => "requestId" in line)).toEqual([false, false]);
});
