import { sql } from "kysely";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { configInput } from "../../../../testing/config-input.ts";
import { type Club, type Person, startClub } from "../../../../testing/start-club.ts";
import { LEASE_MS } from "./cut-ended.ts";
import { type ApplyConfigs, applyConfigs } from "./wire-jobs.ts";

const MINUTE_MS = 60_000;
let club: Club;
let other: Awaited<ReturnType<Club["otherPanel"]>>;
beforeAll(async () => {
  club = await startClub();
  other = await club.otherPanel();
});
afterAll(async () => {
  await other.stop();
  await club.stop();
});

test("of several panels one cuts off what has ended; the next continues where that one stopped", async () => {
  const panels = [club.app, other.app];
  const cut = panels.map(({ parts }) => {
    const enqueued = vi.spyOn(parts.jobs, "enqueue");
    return () => {
      const calls = enqueued.mock.calls.filter(([, kind]) => kind.name === applyConfigs.name);
      enqueued.mockClear();
      return calls.flatMap(([, , { payload }]) => (payload as ApplyConfigs).configIds);
    };
  });
  const endingAfter = async (ms: number): Promise<[Person, string]> => {
    const member = await club.member({ row: { subscription_end: club.clock.now().getTime() + ms } });
    const { body } = await club.as(member).call("POST /vpn/configs", { body: await configInput(club, member) });
    return [member, body.id];
  };
  const [, anna] = await endingAfter(MINUTE_MS);
  const [, boris] = await endingAfter(3 * MINUTE_MS);
  await club.settle();
  for (const taken of cut) taken();
  const look = async () => {
    for (const { doScheduled } of panels) await doScheduled();
    return cut.map((taken) => taken());
  };

  club.clock.advance(MINUTE_MS + 1);
  expect(await look()).toEqual([[anna], []]);
  club.clock.advance(MINUTE_MS);
  expect(await look()).toEqual([[], []]);

  // It is gone, and its lease ends.
  panels.shift();
  cut.shift();
  club.clock.advance(MINUTE_MS);
  expect(LEASE_MS).toBeLessThan(MINUTE_MS);
  expect(await look()).toEqual([[boris]]);
});

test("what ends at once on many servers is read once and recorded once", async () => {
  const { parts } = club.app;
  const many = ["a", "b", "c", "d"];
  const ends = club.clock.now().getTime() + MINUTE_MS;
  const [own] = (await parts.interfaces.places(club.db)).values();
  if (own === undefined) throw new Error("the club has no server");
  const ids: string[] = [];
  for (const _ of many) {
    const member = await club.member({ row: { subscription_end: ends } });
    const { body } = await club.as(member).call("POST /vpn/configs", { body: await configInput(club, member) });
    ids.push(body.id);
  }
  await parts.configs.cutEnded();
  await club.settle();
  // Each device on a server of its own.
  for (const [at, name] of many.entries()) {
    const id = `00000000-0000-4000-8000-00000000000${at}`;
    await sql`insert into servers select (jsonb_populate_record(servers, jsonb_build_object('id', ${id}::text, 'name', ${name}::text,
      'panel_id', null, 'machine', null, 'is_main', 0))).* from servers where id = ${own.server.id}`.execute(club.db);
    await sql`insert into interfaces select (jsonb_populate_record(interfaces, jsonb_build_object('id', ${id}::text, 'server_id', ${id}::text, 'public_key', ${id}::text))).*
      from interfaces where id = ${own.interface.id}`.execute(club.db);
    await sql`update configs set interface_id = ${id} where id = ${ids[at] ?? ""}`.execute(club.db);
  }
  const silenced: string[] = [];
  const applyPeers: typeof club.host.applyPeers = async ({ silence = [] }) => {
    silenced.push(...silence);
    return { addedPeers: [], removedPeers: [] };
  };
  parts.servers.hostOf = () => ({ ...club.host, applyPeers });
  const read = vi.spyOn(parts.configs, "onServersByIds");
  const recorded = vi.spyOn(parts.configs, "noteSilenced");
  club.clock.advance(MINUTE_MS + 1);
  await parts.configs.cutEnded();
  parts.jobs.start();
  await vi.waitFor(() => expect(silenced).toHaveLength(many.length), 20_000);
  await vi.waitFor(() => expect(recorded).toHaveBeenCalled(), 20_000);
  expect(read.mock.calls.map(([, some]) => [...some].sort())).toEqual([[...ids].sort()]);
  expect(recorded.mock.calls.map(([, rows]) => rows.map(({ id }) => id).sort())).toEqual([[...ids].sort()]);
  await vi.waitFor(async () => {
    const { rows } = await sql`select 1 from configs where id = any(${ids}) and on_wire = 1`.execute(club.db);
    expect(rows).toEqual([]);
  }, 20_000);
});
