import { readdirSync, readFileSync } from "node:fs";
import { contract } from "@krug/contract/api";
import { type EndpointSpec, isStream } from "@krug/contract/endpoint";
import { sql } from "kysely";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import type { Club } from "./dev/start-club.ts";
import { wishFor } from "./dev/wishes.ts";
import type { Sqlite } from "./platform/database/sqlite.ts";
import type { Feature } from "./platform/feature.ts";

/*
 * What members and the clock ask again and again may not look through tables that grow with the club. SQLite says of each statement
 * how it would go about it. As the panel gathers no statistics, its plans go by the schema and not by how many rows there are: those of
 * an empty club are those of the largest.
 */

/** Grow with members, their devices or time, by far beyond a page. */
const GROWING = new Set(
  `access_rule_members audit config_services config_services_past configs invites member_use members notices payments
   sessions statistics_daily statistics_daily_came statistics_hourly statistics_hourly_came support_texts traffic_counters traffic_daily
   traffic_hourly`.split(/\s+/),
);
/** Hold a few of many rows, so they may be read from end to end. */
const FEW = new Set(
  `configs_held configs_leaving configs_moving configs_off_wire configs_past configs_places configs_undropped members_deleted
   members_unlimited`.split(/\s+/),
);
/** Behind the end of their ranges is all that ever was. */
const ENDLESS = new Set(["configs_deleted"]);

/** Read from end to end all the same: how the text begins, and why. */
const MEANT: readonly [beginning: string, why: string][] = [
  ['select * from "access_rule_members"', "after a change of rules alone, and bounded"],
  ['select "interface_id", count(*) as "configs", sum("on_wire")', "staff's servers: counted by an index alone"],
  ['select "service_id", count(*) as "configs"', "staff's catalogue: counted by an index alone"],
  ['select "dns_id", count(*) as "configs"', "staff's catalogue: counted by an index alone"],
  ['select count(*) as "members", sum("is_active")', "staff's numbers"],
  ['select count(*) as "members" from "members" where "deleted_at" is null', "staff's numbers"],
  ["select count(*) as configs from configs where configs.deleted_at is null", "staff's numbers"],
];

const seen = vi.hoisted(() => new Set<string>());
/** The library with an ear at each statement; in both places where it may be (platform/database/sqlite.ts). */
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
  // Files before this one share its process, and loaded the library without an ear.
  vi.resetModules();
  const { startClub } = await import("./dev/start-club.ts");
  club = await startClub();
});
afterAll(() => club.stop());

/** Tables by the names that a statement gives them. */
function namesIn(text: string): Map<string, string> {
  const names = new Map<string, string>();
  for (const [, table = "", alias] of text.matchAll(/\b(?:from|join|update|into)\s+"?(\w+)"?(?:\s+as\s+"?(\w+)"?)?/gi))
    names.set(alias ?? table, table);
  return names;
}

/** The steps of a statement that read a growing table from end to end. */
async function scansOf(text: string): Promise<string[]> {
  const explained = sql<{ detail: string }>`explain query plan ${sql.raw(text)}`.execute(club.db);
  const { rows: steps } = await explained;
  const names = namesIn(text);
  const isSorted = steps.some(({ detail }) => detail.includes("TEMP B-TREE"));
  // In the order of an index and with an end to it: it stops once it has enough.
  const stops = /\blimit\b/i.test(text) && !isSorted;
  return steps.flatMap(({ detail }) => {
    const [, how, name = "", index = ""] =
      /^(SCAN|SEARCH) (\w+)(?: USING (?:COVERING )?INDEX (\w+))?/.exec(detail) ?? [];
    if (how === undefined || !GROWING.has(names.get(name) ?? name) || FEW.has(index) || stops) return [];
    return how === "SCAN" || ENDLESS.has(index) ? [detail] : [];
  });
}

test("no call that reads and no work by the clock looks through a table that grows", async () => {
  const [admin, boris] = [await club.admin(), await club.member({ configLimit: 9 })];
  const made = (await club.as(boris).call("POST /vpn/configs", { body: await wishFor(club, boris) })).body;
  const [server] = (await club.as(admin).call("GET /admin/servers")).body;
  const [tunnel] = (await club.as(admin).call("GET /admin/servers/interfaces")).body;
  await club.as(boris).call("DELETE /vpn/configs/{id}", { params: { id: made.id } });
  const kept = (await club.as(boris).call("POST /vpn/configs", { body: await wishFor(club, boris) })).body;
  const ids = [kept.id, server?.id, tunnel?.id, boris.id].map(String);
  for (const spec of Object.values(contract).flatMap((calls) => Object.values(calls) as EndpointSpec[])) {
    if (spec.method !== "GET" || isStream(spec.answer)) continue;
    for (const id of spec.path.includes("{") ? ids : ids.slice(0, 1)) {
      const path = `/api${spec.path.replace(/\{(\w+)\}/g, (_, name) => (name === "period" ? "2026-11" : id))}`;
      for (const who of [admin, boris]) await club.as(who).send("GET", path);
    }
  }
  for (const feature of Object.values(club.app.parts) as (Feature | null)[])
    for (const work of feature?.timed ?? []) await work.run();
  await club.app.forgetOld();
  await club.settle();
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
