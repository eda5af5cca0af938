import { setTimeout as wait } from "node:timers/promises";
import { sql } from "kysely";
import { at, median } from "../table.ts";
import { type Day, type Part, part, reported } from "./part.ts";
import { ENDING_SHARE } from "./size.ts";
import { complaints, seconds } from "./telling.ts";
import { awaitedNote } from "./wire.ts";

const RENEWED_SHARE = 0.1;
const BULK = 250;

/** 30,000 subscriptions end within a minute, and some of them are renewed. */
export async function midnight(day: Day): Promise<Part> {
  const { database, club, pages, pageOwners } = day;
  const ending = club.members.filter((_, index) => index % 10 < ENDING_SHARE * 10);
  const first = Date.now() + 10_000;
  const endOf = new Map(ending.map(({ id }, index) => [id, first + Math.floor((index * 60_000) / ending.length)]));
  const ended = await part(day, `Midnight: ${ending.length} subscriptions end within a minute`, async (notes) => {
    await sql`
      update members set subscription_end = ends.at
      from unnest(${[...endOf.keys()]}::text[], ${[...endOf.values()]}::bigint[]) as ends(id, at) where ends.id = members.id`.execute(
      database.db,
    );
    const since = new Map(
      ending.flatMap(({ id, configs }) => configs.map(({ publicKey }) => [publicKey, endOf.get(id) ?? 0] as const)),
    );
    await wait(Math.max(0, first + 60_000 - Date.now()));
    const left = { all: "every ended peer left", what: "peers off the wire after their end", isOn: false };
    notes.push(await awaitedNote(day, { ...left, since, lookEveryMs: 1_000 }));
    const told: number[] = [];
    let expected = 0;
    for (const [process, helper] of pages.entries()) {
      const owners = pageOwners[process] ?? [];
      expected += owners.filter(({ id }) => endOf.has(id)).length;
      const answer = await helper.ask({ report: true });
      for (const [page, when] of answer.heard ?? []) {
        const end = endOf.get(owners[page]?.id ?? "");
        if (end !== undefined && when >= end) told.push(when - end);
      }
      reported(answer);
    }
    notes.push(
      `pages told: ${told.length} of ${expected}, p50 ${seconds(median(told))}, p99 ${seconds(at(told, 0.99))}`,
    );
    if (told.length < expected) complaints.push(`midnight: ${expected - told.length} pages were not told`);
  });
  const renewed = ending.filter((_, index) => index % (1 / RENEWED_SHARE) === 0);
  await part(day, `Renewals: staff extend ${renewed.length} of them, ${BULK} at once`, async (notes) => {
    const since = new Map<string, number>();
    for (let from = 0; from < renewed.length; from += BULK) {
      const some = renewed.slice(from, from + BULK);
      const sentAt = Date.now();
      const body = { ids: some.map(({ id }) => id), action: "extend", days: 30 };
      const asked = { method: "POST", path: "/admin/users/bulk", body };
      if ((await day.work.staff("POST /admin/users/bulk", asked)) === null) complaints.push("a renewal failed");
      for (const { configs } of some) for (const { publicKey } of configs) since.set(publicKey, sentAt);
    }
    const back = { all: "every renewed peer is back", what: "peers back on the wire after the request", isOn: true };
    notes.push(await awaitedNote(day, { ...back, since, lookEveryMs: 500 }));
  });
  return ended;
}
