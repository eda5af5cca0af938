import { readdirSync, readFileSync } from "node:fs";
import { sql } from "kysely";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { ALSO_GROWING, changeEverything, FEW, GROWING, MEANT, readEverything } from "../testing/growing-tables.ts";
import type { Club } from "../testing/start-club.ts";
import type { Sqlite } from "./platform/database/sqlite.ts";

/*
 * SQLite reports how it would execute each statement (dev/growing-tables.ts). As the panel gathers no statistics, its plans
 * depend on the schema and not on how many rows there are: an empty club's plans are those of the largest.
 */

/** After the end of their ranges is the whole history. */
const ENDLESS = new Set(["configs_deleted"]);

const seen = vi.hoisted(() => new Set<string>());
/** The library with a listener on each statement; in both places where it may be (platform/database/sqlite.ts). */
const heard = vi.hoisted(() => async (original: () => Promise<unknown>) => {
  const library = (await original()) as { DatabaseSync: new (...args: unknown[]) => Sqlite };
  class Heard extends library.DatabaseSync {
    override prepare(text: string) {
      seen.add(text);
      return super.prepare(text);
    }
  }
  return { ...library, DatabaseSync: Heard };
});
vi.mock("@photostructure/sqlite", heard);
vi.mock("node:sqlite", heard);

let club: Club;
beforeAll(async () => {
  // Earlier files share this process, and loaded the library without the listener.
  vi.resetModules();
  const { startClub } = await import("../testing/start-club.ts");
  club = await startClub();
});
afterAll(() => club.stop());

/** Tables by their names in a statement. */
function namesIn(text: string): Map<string, string> {
  const names = new Map<string, string>();
  for (const [, table = "", alias] of text.matchAll(/\b(?:from|join|update|into)\s+"?(\w+)"?(?:\s+as\s+"?(\w+)"?)?/gi))
    names.set(alias ?? table, table);
  return names;
}

const isGrowing = (table: string) => GROWING.has(table) || ALSO_GROWING.has(table);

/** The steps of a statement that read a growing table from end to end. */
async function scansOf(text: string): Promise<string[]> {
  const explained = sql<{ detail: string }>`explain query plan ${sql.raw(text)}`.execute(club.db);
  const { rows: steps } = await explained;
  const names = namesIn(text);
  const isSorted = steps.some(({ detail }) => detail.includes("TEMP B-TREE"));
  // In index order and with a limit: it stops once it has enough.
  const stops = /\blimit\b/i.test(text) && !isSorted;
  return steps.flatMap(({ detail }) => {
    const [, how, name = "", index = ""] =
      /^(SCAN|SEARCH) (\w+)(?: USING (?:COVERING )?INDEX (\w+))?/.exec(detail) ?? [];
    if (how === undefined || !isGrowing(names.get(name) ?? name) || FEW.has(index) || stops) return [];
    return how === "SCAN" || ENDLESS.has(index) ? [detail] : [];
  });
}

test("no call that reads, no usual change and no scheduled work scans a growing table", async () => {
  await readEverything(club);
  await changeEverything(club);
  expect(seen.size).toBeGreaterThan(300);
  const folder = new URL("../migrations/", import.meta.url);
  const bare = (text: string) => text.replace(/--.*$/gm, "").replace(/\s+/g, " ").trim();
  const migrations = bare(
    readdirSync(folder)
      .map((name) => readFileSync(new URL(name, folder), "utf8"))
      .join("\n"),
  );
  const found = new Map<string, string[]>();
  for (const text of [...seen]) {
    if (!/^\s*(select|with|update|delete|insert)/i.test(text) || migrations.includes(bare(text))) continue;
    const scans = await scansOf(text);
    if (scans.length > 0) found.set(text, scans);
  }
  const isMeant = (text: string) => MEANT.some(([beginning]) => text.startsWith(beginning));
  expect([...found].filter(([text]) => !isMeant(text))).toEqual([]);
  expect(MEANT.filter(([beginning]) => ![...found.keys()].some((text) => text.startsWith(beginning)))).toEqual([]);
});
