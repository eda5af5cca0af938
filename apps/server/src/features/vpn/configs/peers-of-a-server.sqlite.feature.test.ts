import { CompiledQuery } from "kysely";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { type Club, startClub } from "../../../../testing/start-club.ts";

let club: Club;
beforeAll(async () => {
  club = await startClub();
});
afterAll(() => club.stop());

/** How SQLite goes about what these calls ask. */
async function plansOf(...calls: (() => Promise<unknown>)[]): Promise<string[]> {
  const executed = vi.spyOn(club.db.getExecutor(), "executeQuery");
  for (const call of calls) await call();
  const statements = executed.mock.calls.map(([query]) => query);
  executed.mockRestore();
  const plans: string[] = [];
  for (const { sql, parameters } of statements) {
    const explained = CompiledQuery.raw(`explain query plan ${sql}`, [...parameters]);
    const { rows } = await club.db.executeQuery<{ detail: string }>(explained);
    plans.push(...rows.map(({ detail }) => detail));
  }
  return plans;
}

// PostgreSQL plans by the numbers it keeps of its tables, which say nothing of a test's few rows.
test("a server's peers are found without a look at other servers' configs and at all members", async () => {
  const { configs, interfaces } = club.app.parts;
  const ids = (await interfaces.all(club.db)).map(({ id }) => id);
  expect(ids).not.toHaveLength(0);
  const plans = await plansOf(
    () => configs.onInterfaces(club.db, ids),
    () => configs.fingerprintOfPeers(club.db, ids),
  );
  const looks = plans.flatMap(
    (step) => /^\w+ ((?:configs|members)\b).*?(\(.*\))?$/.exec(step)?.slice(1).join(" ") ?? [],
  );
  expect([...new Set(looks)].sort()).toEqual(["configs (interface_id=?)", "configs (moves_until>?)", "members (id=?)"]);
});
