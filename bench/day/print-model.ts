import { ms, printTable } from "../table.ts";
import { type Cost, estimate, type Happening } from "./model.ts";
import type { Part } from "./part.ts";
import { ENDING_SHARE, MEMBERS, PAGES, PER_MEMBER, SERVERS, times } from "./size.ts";
import { panelsOf, postgresOf } from "./watch.ts";

/** By default PostgreSQL takes 100, and keeps three for its administrators. */
const DEFAULT_CONNECTIONS = 100 - 3;

const club100k = { members: 100_000, servers: 400 };
const POSTGRES_CORES = 4;
const MESSAGES_OF_A_CHANGE = 5;
/** An idle panel's own second (docs/measurements.md, an idle panel). */
const OWN_MS = 3;
const NOTHING: Cost = { panels: 0, postgres: 0 };

/** Of one server's second. */
export function serverCost(found: ReadonlyMap<string, Cost>): Cost {
  const idle = found.get("idle second") ?? NOTHING;
  return { panels: idle.panels / SERVERS, postgres: idle.postgres / SERVERS };
}

/** Of one subscription's end, beyond what the panels do anyway. */
export function midnightCost(quiet: Part, ended: Part): Cost {
  const per = (cpuOf: typeof panelsOf) => {
    const usual = cpuOf(quiet.used) / quiet.tookS;
    return Math.max(0, ((cpuOf(ended.used) - usual * ended.tookS) * 1_000) / (MEMBERS * ENDING_SHARE));
  };
  return { panels: per(panelsOf), postgres: per(postgresOf) };
}

export function printModel(found: ReadonlyMap<string, Cost>, quiet: Part, ended: Part): void {
  const cost = (what: string) => found.get(what) ?? NOTHING;
  const idle = cost("idle second");
  const heard = cost("a message between panels, at one panel");
  // What calls do not explain is the streams': signs of life, and whether their sessions still count.
  const calls = [...quiet.kinds].map(([kind, { took }]) => ({ count: took.length, cost: cost(kind) }));
  const streams = (of: keyof Cost, all: number) =>
    Math.max(
      0,
      all * 1_000 - idle[of] * quiet.tookS - calls.reduce((sum, each) => sum + each.count * each.cost[of], 0),
    ) / quiet.tookS;
  const perPage = {
    panels: streams("panels", panelsOf(quiet.used)) / PAGES,
    postgres: streams("postgres", postgresOf(quiet.used)) / PAGES,
  };
  const ends = Math.floor(club100k.members * ENDING_SHARE);
  const scale = club100k.members / MEMBERS;
  const peak = times(PER_MEMBER, club100k.members);
  const happenings: Happening[] = [
    { what: "servers, each", perSecond: club100k.servers, cost: serverCost(found) },
    { what: "open pages, each", perSecond: PAGES * scale, cost: perPage },
    ...[...quiet.kinds].map(([kind, { took }]) => ({
      what: kind,
      // Staff's tabs do not grow with the club.
      perSecond: (took.length / quiet.tookS) * (kind.includes("/admin/") ? 1 : scale),
      cost: cost(kind),
    })),
    { what: "POST /auth/register", perSecond: peak.registrations, cost: cost("POST /auth/register") },
    { what: "POST /vpn/configs", perSecond: peak.devices, cost: cost("POST /vpn/configs") },
    { what: "POST /support/messages", perSecond: peak.messages, cost: cost("POST /support/messages") },
    {
      what: "a payment, claimed and confirmed",
      perSecond: peak.claims,
      cost: cost("a payment, claimed and confirmed"),
    },
  ];
  const midnight = {
    what: "a subscription that ends",
    perSecond: ends / 60,
    cost: midnightCost(quiet, ended),
  };
  console.log("\nThe model: what each costs, and how often it happens at the peak of a day of 100,000 members");
  printTable([
    ["what", "a second", "panels' CPU", "PostgreSQL's CPU"],
    ...[...happenings, midnight].map((each) => [
      ...[each.what, each.perSecond.toFixed(1), ms(each.cost.panels), ms(each.cost.postgres)],
    ]),
    ["a message between panels, at one panel", "", `${heard.panels.toFixed(3)} ms`, `${heard.postgres.toFixed(3)} ms`],
  ]);
  // Each change is a few messages to all panels.
  const messages = happenings.filter(({ what }) => what.startsWith("POST") || what.startsWith("a payment"));
  const heardASecond = MESSAGES_OF_A_CHANGE * messages.reduce((sum, { perSecond }) => sum + perSecond, 0);
  const eachPanel = { panels: heardASecond * heard.panels + OWN_MS, postgres: OWN_MS };
  const rows = [1, 3, 10].flatMap((panels) =>
    [
      { when: "the day's peak", of: happenings },
      { when: "midnight in it", of: [...happenings, midnight] },
    ].map(({ when, of }) => {
      const parts = { happenings: of, eachPanel, postgresCores: POSTGRES_CORES };
      const made = estimate(parts, panels);
      return [
        ...[
          String(panels),
          when,
          `${(made.panelLoad * 100).toFixed(0)} %`,
          `${(made.postgresLoad * 100).toFixed(0)} %`,
        ],
        ...[made.connections > DEFAULT_CONNECTIONS ? `${made.connections}: raise the limit` : String(made.connections)],
        ...[`${made.peaks.toFixed(1)} times`, made.first],
      ];
    }),
  );
  console.log(`\nWith processors like these: one for each panel's main thread, ${POSTGRES_CORES} for PostgreSQL`);
  printTable([
    ["panels", "load", "of a panel's processor", "of PostgreSQL's", "connections", "fits", "gives first"],
    ...rows,
  ]);
}
