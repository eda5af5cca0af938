import { setTimeout as wait } from "node:timers/promises";
import { sql } from "kysely";
import { signInAll } from "../sign-in.ts";
import type { Cost } from "./model.ts";
import type { Day } from "./part.ts";
import { ONLY_MIDNIGHT, PANELS, SECONDS } from "./size.ts";
import { panelsOf, postgresOf } from "./watch.ts";

/** Of one kind of call, alone. */
const LONGEST_COST_MS = 5_000;

/** What one of each costs, alone: the rest of the machine's work is measured before and taken off. */
export async function costs(day: Day): Promise<Map<string, Cost>> {
  const { asking, watching, club, database, work } = day;
  const found = new Map<string, Cost>();
  const over = async (act: () => Promise<unknown>) => {
    watching.take();
    const from = performance.now();
    await act();
    const tookS = (performance.now() - from) / 1_000;
    const { used } = watching.take();
    return { panels: panelsOf(used) * 1_000, postgres: postgresOf(used) * 1_000, tookS };
  };
  // Servers are compared once a minute.
  const idle = await over(() => wait((ONLY_MIDNIGHT ? 60 : Math.min(SECONDS, 30)) * 1_000));
  const base = { panels: idle.panels / idle.tookS, postgres: idle.postgres / idle.tookS };
  found.set("idle second", base);
  if (ONLY_MIDNIGHT) return found;
  const each = async (what: string, count: number, act: (number: number) => Promise<unknown>, atOnce = 8) => {
    let next = 0;
    const enough = performance.now() + LONGEST_COST_MS;
    const hand = async () => {
      while (next < count && performance.now() < enough) await act(next++);
    };
    const all = await over(() => Promise.all(Array.from({ length: atOnce }, hand)));
    const cost = (of: keyof Cost) => Math.max(0, (all[of] - base[of] * all.tookS) / next);
    found.set(what, { panels: cost("panels"), postgres: cost("postgres") });
  };
  const some = club.members.slice(0, 400);
  const tokens = await signInAll(
    database,
    some.map(({ id }) => id),
  );
  const token = (number: number) => tokens[number % tokens.length] ?? "";
  const reads = ["/auth/me", "/vpn/configs", "/payments/own", "/vpn/traffic?days=30", "/vpn/stats", "/support/unread"];
  for (const path of reads) await each(`GET ${path}`, 600, (nth) => asking.ask("(cost)", { path, token: token(nth) }));
  await each("GET /vpn/configs/{id}/stats", 600, (nth) =>
    asking.ask("(cost)", { path: `/vpn/configs/${some[nth % some.length]?.configs[0]?.id}/stats`, token: token(nth) }),
  );
  await each("GET / (the page)", 300, (nth) => asking.ask("(cost)", { path: "/", token: token(nth), page: true }));
  await each("POST /auth/register", 24, () => work.acts.registrations(), 2);
  await each("POST /vpn/configs", 80, () => work.acts.devices());
  await each("POST /support/messages", 100, () => work.acts.messages());
  await each("a payment, claimed and confirmed", 60, () => work.acts.claims(), 4);
  // What every panel hears, whoever it is for.
  const ids = Array.from({ length: 150 }, () => crypto.randomUUID());
  const message = JSON.stringify(["bench", "live.member.account", ids]);
  await each("a message between panels, at one panel", 1_000, () =>
    sql`select pg_notify('krug', ${message})`.execute(database.db),
  );
  const heard = found.get("a message between panels, at one panel");
  if (heard) heard.panels /= PANELS;
  return found;
}
