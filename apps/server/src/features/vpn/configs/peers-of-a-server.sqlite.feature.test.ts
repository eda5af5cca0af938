import { CompiledQuery } from "kysely";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { type Club, startClub } from "../../../../testing/start-club.ts";

let club: Club;
beforeAll(async () => {
  club = await startClub();
});
afterAll(() => club.stop());

/** SQLite's query plans for these calls. */
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

// PostgreSQL plans by table statistics, which a test's few rows do not give.
test("a server's peers are found without reading other servers' configs or all members", async () => {
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
