import { afterEach, beforeEach, expect, test } from "vitest";
import { type Club, type Person, startClub } from "../../../../testing/start-club.ts";
import type { ServerHistoryTables } from "./table.ts";

const MINUTE_MS = 60_000;
let club: Club;
let admin: Person;
let id: string;
beforeEach(async () => {
  club = await startClub();
  admin = await club.admin();
  id = (await club.as(admin).call("GET /admin/servers")).body[0]?.id ?? "";
});
afterEach(() => club.stop());

const look = () => club.app.parts.serverHistory.timed[0]?.run();
/** This many minutes with a quarter of the cores busy, 10 kB/s in and 20 kB/s out, and a reading at the end. */
const pass = async (minutes: number) => {
  club.clock.advance(minutes * MINUTE_MS);
  const { cpuTimes, network, uptimeS } = club.host.state;
  const seconds = minutes * 60;
  club.host.state = {
    ...club.host.state,
    cpuTimes: { idle: cpuTimes.idle + 75 * seconds, total: cpuTimes.total + 100 * seconds },
    network: { in: network.in + 10_000 * seconds, out: network.out + 20_000 * seconds },
    uptimeS: uptimeS + seconds,
  };
  await look();
};
const history = async (span: "day" | "month" = "day", reader = admin) => {
  const answer = await club.as(reader).call("GET /admin/servers/{id}/history", { params: { id }, query: { span } });
  expect(answer.status).toBe(200);
  return answer.body;
};

test("each step shows how busy the machine was; the first reading is only a start", async () => {
  await look();
  expect((await history()).points).toEqual([]);
  await pass(5);
  await pass(5);
  const { step, points, to } = await history();
  expect(step).toBe(300);
  expect(points).toHaveLength(2);
  expect(points[0]).toMatchObject({
    cpu: 25,
    memory: 2.5 * 2 ** 30,
    memoryTotal: 8 * 2 ** 30,
    load: 0.42,
    received: 10_000,
    sent: 20_000,
  });
  expect(points.map(({ at }) => Date.parse(at) % 300_000)).toEqual([0, 0]);
  expect(points.at(-1)?.at).toBe(to);
});

test("a month has steps of two hours, each the mean of its readings", async () => {
  await look();
  for (let times = 0; times < 36; times += 1) {
    club.host.state = { ...club.host.state, load: [times % 2, 0, 0] };
    await pass(5);
  }
  const { step, points } = await history("month", await club.admin());
  expect(step).toBe(7_200);
  expect(points.length).toBeGreaterThan(0);
  for (const point of points) {
    expect(point).toMatchObject({ cpu: 25, received: 10_000 });
    expect(point.load).toBeCloseTo(0.5, 0);
  }
});

test("while a machine is down its steps stay empty, and the time meanwhile is in none", async () => {
  await look();
  await pass(5);
  club.host.away = "no answer";
  for (let times = 0; times < 6; times += 1) await pass(5);
  club.host.away = null;
  await pass(5);
  // Staff sign in again after a while.
  const reader = await club.admin();
  expect((await history("day", reader)).points).toHaveLength(1);
  await pass(5);
  const { points } = await history("day", reader);
  expect(points).toHaveLength(2);
  expect(points[1]).toMatchObject({ cpu: 25, received: 10_000 });
});

test("a restart of the machine gives no wrong number", async () => {
  await look();
  await pass(5);
  club.host.state = {
    ...club.host.state,
    cpuTimes: { idle: 0, total: 0 },
    network: { in: 0, out: 0 },
    uptimeS: 0,
  };
  await pass(4);
  await pass(5);
  const { points } = await history();
  expect(points.length).toBeGreaterThan(1);
  for (const point of points) expect(point).toMatchObject({ cpu: 25, received: 10_000, sent: 20_000 });
});

test("old samples are deleted, a day's steps before a month's", async () => {
  await look();
  await pass(5);
  const kept = async () => ((await club.allRows()).get("server_samples") ?? []).map((row) => Number(row.step));
  await club.app.parts.serverHistory.forgetOld();
  expect((await kept()).sort()).toEqual([300, 7_200]);
  club.clock.advance(26 * 60 * MINUTE_MS);
  await club.app.parts.serverHistory.forgetOld();
  expect(await kept()).toEqual([7_200]);
  club.clock.advance(31 * 24 * 60 * MINUTE_MS);
  await club.app.parts.serverHistory.forgetOld();
  expect(await kept()).toEqual([]);
  expect((await club.allRows()).get("server_readings")).toEqual([]);
});

test("an unknown server has none", async () => {
  const unknown = { id: "00000000-0000-4000-8000-000000000000" };
  const answer = await club.as(admin).call("GET /admin/servers/{id}/history", { params: unknown, query: {} });
  expect(answer).toMatchObject({ status: 404, code: "server.not_found" });
});

test("what a clock that was ahead has recorded is gone once the clock has been right for an hour", async () => {
  const AHEAD_MINUTES = 20 * 60;
  const ahead = async () => {
    const now = club.clock.now().getTime();
    const rows = club.db.withTables<ServerHistoryTables>().selectFrom("server_samples").select("at").execute();
    return (await rows).filter(({ at }) => Number(at) > now).length;
  };
  await look();
  club.clock.advance(AHEAD_MINUTES * MINUTE_MS);
  await pass(5);
  await pass(5);
  club.clock.advance(-(AHEAD_MINUTES + 10) * MINUTE_MS);
  await look();
  expect(await ahead()).toBeGreaterThan(0);
  for (let times = 0; times < 13; times += 1) await pass(5);
  expect(await ahead()).toBe(0);
});
