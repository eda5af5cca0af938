import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { configInput } from "../../../../testing/config-input.ts";
import { type Club, type Person, startClub } from "../../../../testing/start-club.ts";
import type { Tx } from "../../../platform/database/database.ts";
import { configsChanged } from "../configs/index.ts";

/* A machine's confirmation is recorded without waiting for the disk; a power cut may lose that record, and nothing else. */
let club: Club;
let boris: Person;
beforeAll(async () => {
  club = await startClub();
  boris = await club.member();
});
afterAll(() => club.stop());

const create = async (name: string) =>
  (await club.as(boris).call("POST /vpn/configs", { body: await configInput(club, boris, { name }) })).body;
const remove = (id: string) => club.as(boris).call("DELETE /vpn/configs/{id}", { params: { id } });
const levelOf = async (over: Tx) =>
  (await sql<{ synchronous: number }>`pragma synchronous`.execute(over)).rows[0]?.synchronous;
const [NORMAL, FULL] = [1, 2];

/** SQLite's `synchronous` in each transaction that changed a config, or recorded one as silenced, during `act`. */
async function levelsOf(act: () => Promise<unknown>): Promise<(number | undefined)[]> {
  const levels: (number | undefined)[] = [];
  let isListening = true;
  club.app.parts.events.on(configsChanged, async (tx, { memberIds }) => {
    if (isListening && memberIds.length > 0) levels.push(await levelOf(tx));
  });
  const { configs } = club.app.parts;
  const { noteSilenced } = configs;
  configs.noteSilenced = async (tx, rows, shown) => {
    if (rows.length > 0) levels.push(await levelOf(tx));
    await noteSilenced(tx, rows, shown);
  };
  await act();
  await club.settle();
  configs.noteSilenced = noteSilenced;
  isListening = false;
  return levels;
}

test("a creation and a deletion wait for the disk once each: for the member's request, not for its record", async () => {
  let id = "";
  expect(
    await levelsOf(async () => {
      id = (await create("laptop")).id;
    }),
  ).toEqual([FULL, NORMAL]);
  expect(await levelsOf(() => remove(id))).toEqual([FULL, NORMAL]);
});

test("a record that resets counters waits for the disk", async () => {
  const { id } = await create("tablet");
  const { public_key } = await club.db
    .withTables<{ configs: { id: string; public_key: string } }>()
    .selectFrom("configs")
    .select("public_key")
    .where("id", "=", id)
    .executeTakeFirstOrThrow();
  club.host.use(public_key, { rx: 500, tx: 700 }, club.clock.now().getTime());
  await club.app.parts.reconciler.readAll();
  await remove(id);
  // The next full round removes the silenced peer.
  await club.app.lookAtServers();
  await club.settle();
  const levels = await levelsOf(() => club.as(boris).call("POST /vpn/configs/{id}/restore", { params: { id } }));
  expect(levels).toEqual([FULL, FULL]);
});

test("an asynchronous commit does not affect the next one, even if it fails", async () => {
  const { transact } = club;
  expect(await transact(levelOf, { commit: "asynchronous" })).toBe(NORMAL);
  expect(await transact(levelOf)).toBe(FULL);
  const failing = transact(() => Promise.reject(new Error("no")), { commit: "asynchronous" });
  await expect(failing).rejects.toThrow("no");
  expect(await transact(levelOf)).toBe(FULL);
});

test("after a power cut that lost the record the config exists, its job is repeated, and the record is made", async () => {
  const tables = club.db.withTables<{ jobs: { id: string }; configs: { id: string; on_wire: number } }>();
  // As the disk has it when the machine has confirmed: the config unrecorded, and the job.
  let jobs: { id: string }[] = [];
  const applyPeers = club.host.applyPeers;
  club.host.applyPeers = async (...args) => {
    const done = await applyPeers(...args);
    jobs = await tables.selectFrom("jobs").selectAll().execute();
    return done;
  };
  const { id, state } = await create("phone");
  club.host.applyPeers = applyPeers;
  expect(state).toBe("applied");
  expect(jobs).toHaveLength(1);
  await tables.updateTable("configs").set({ on_wire: 0 }).where("id", "=", id).execute();
  await tables.insertInto("jobs").values(jobs).execute();
  club.host.reboot();
  await club.restart();
  await club.settle();
  const own = (await club.as(boris).call("GET /vpn/configs")).body;
  expect(own.find((config) => config.id === id)?.state).toBe("applied");
  expect((await club.allRows()).get("jobs")).toEqual([]);
});
