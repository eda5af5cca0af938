import { readdirSync, readFileSync } from "node:fs";
import { expect, onTestFinished, test } from "vitest";
import { fillByCopies } from "../testing/fill-by-copies.ts";
import { changeEverything, FEW, GROWING, MEANT, readEverything } from "../testing/growing-tables.ts";
import { connectBeside, hearStatements, type PlanStep, planOf } from "../testing/postgres-plans.ts";
import { startClub } from "../testing/start-club.ts";

/*
 * PostgreSQL plans by how full tables are, so the club is filled first. Its plan may still read a whole table because that is
 * fast enough, so it must show an alternative: with sequential scans forbidden, a plan that still reads a table from end to end
 * has no suitable index, however large the club. `npm run bench:plans` shows the plans that it prefers.
 */

/** Only for PostgreSQL: the start of the text, and why. */
const MEANT_HERE: readonly [beginning: string, why: string][] = [
  [
    'select "members"."id", "display_name", "is_active", "is_unlimited", "quota_used_up_until"',
    "friends, a page at a time by the clock: whether their inviters are still there may be looked up for all at once",
  ],
  ["delete from unseen_devices where not exists", "hourly, for all devices that are off"],
  ["update unseen_devices set days = days + 1", "the same"],
];
/** Contains few of many rows, like those of `FEW`. SQLite searches in it. */
const FEW_HERE = new Set(["members_referral_earned"]);

const CONFIGS = 9_000;
const NO_WHOLE_TABLES = "set enable_seqscan = off; set enable_hashjoin = off; set enable_mergejoin = off";

/** Indexes with their tables, and the first column of each. */
type Indexes = ReadonlyMap<string, { table: string; first: string }>;

/** The steps that read a growing table from end to end. */
function scansIn(steps: readonly PlanStep[], text: string, indexes: Indexes): string[] {
  // In index order and with a limit: it stops once it has enough.
  const stops = /\blimit\b/i.test(text) && !steps.some((step) => /Sort|Aggregate/.test(step["Node Type"]));
  return steps.flatMap((step) => {
    const { "Node Type": how, "Index Name": index = "", "Index Cond": condition = "" } = step;
    const known = indexes.get(index);
    const table = step["Relation Name"] ?? known?.table ?? "";
    if (!/^(Seq|Index|Index Only|Bitmap Index) Scan$/.test(how) || !GROWING.has(table)) return [];
    // A condition only on an index's later columns goes through all of it.
    const isLed = known?.first.match(/[a-z_]{2,}/g)?.every((word) => word === "bigint" || condition.includes(word));
    return isLed || FEW.has(index) || FEW_HERE.has(index) || stops ? [] : [`${how} of ${table} ${index}: ${condition}`];
  });
}

test("no call that reads, no usual change and no scheduled work scans a growing table, on PostgreSQL either", async () => {
  const { seen, stop } = hearStatements();
  onTestFinished(stop);
  const club = await startClub();
  onTestFinished(() => club.stop());
  await readEverything(club);
  await changeEverything(club);
  stop();
  // Migrations are added, unless another file of this process has already made the database.
  expect(seen.size).toBeGreaterThan(250);

  const folder = new URL("../migrations/", import.meta.url);
  const bare = (text: string) => text.replace(/--.*$/gm, "").replace(/\s+/g, " ").trim();
  const texts = readdirSync(folder).map((name) => readFileSync(new URL(name, folder), "utf8"));
  const migrations = bare(texts.join("\n"));
  const client = await connectBeside(club.config.databaseUrl);
  onTestFinished(() => client.end());
  const { rows } = await client.query<Record<"configId" | "memberId" | "interfaceId", string>>(
    `select id as "configId", member_id as "memberId", interface_id as "interfaceId" from configs where deleted_at is null`,
  );
  const [one] = rows;
  if (one === undefined) throw new Error("there is no config to copy");
  await fillByCopies(client, CONFIGS, one);
  // The planner reads a table of a few rows by any index.
  for (const table of GROWING)
    expect((await client.query(`select 1 from "${table}" limit 1000`)).rows.length, table).toBe(1000);
  await client.query(NO_WHOLE_TABLES);
  const own = await client.query<{ name: string; table: string; first: string }>(
    `select index.relname as name, tables.relname as "table", pg_get_indexdef(indexrelid, 1, true) as first
      from pg_index join pg_class as index on index.oid = indexrelid join pg_class as tables on tables.oid = indrelid
      where tables.relnamespace = 'public'::regnamespace`,
  );
  const indexes: Indexes = new Map(own.rows.map(({ name, ...of }) => [name, of]));
  const found = new Map<string, string[]>();
  let explained = 0;
  for (const [text, values] of seen) {
    if (migrations.includes(bare(text))) continue;
    const steps = await planOf(client, text, values);
    if (steps === null) continue;
    explained++;
    const scans = scansIn(steps, text, indexes);
    if (scans.length > 0) found.set(text, scans);
  }
  expect(explained).toBeGreaterThan(200);
  const meant = [...MEANT, ...MEANT_HERE];
  const isMeant = (text: string) => meant.some(([beginning]) => text.startsWith(beginning));
  expect([...found].filter(([text]) => !isMeant(text))).toEqual([]);
  expect(MEANT_HERE.filter(([beginning]) => ![...found.keys()].some((text) => text.startsWith(beginning)))).toEqual([]);
});
