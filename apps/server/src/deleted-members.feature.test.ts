import { DAY_MS } from "@krug/domain/moment";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type Club, startClub } from "../testing/start-club.ts";
import { live } from "../testing/whole-life.ts";

let club: Club;
beforeEach(async () => {
  club = await startClub();
});
afterEach(() => club.stop());

/** The columns that hold a text with this word. */
async function holding(word: RegExp): Promise<string[]> {
  const found = [...(await club.allRows())].flatMap(([table, rows]) =>
    rows.flatMap((row) =>
      Object.entries(row).flatMap(([column, value]) => (word.test(String(value)) ? [`${table}.${column}`] : [])),
    ),
  );
  return [...new Set(found)].sort();
}

test("after a member's deletion no table holds their name or a word of theirs", async () => {
  const admin = await club.admin();
  await club.moderator();
  await club.as(admin).call("PUT /admin/payments/settings", { body: { price: "300", details: "Карта" } });
  const vera = await club.member({
    username: "vera-gone",
    subscriptionEnd: club.clock.now().getTime() + 90 * DAY_MS,
    row: { display_name: "Gone Vera" },
  });
  await live(club, admin, vera, "gone");
  expect((await holding(/gone/i)).length).toBeGreaterThan(10);
  expect((await club.as(admin).call("DELETE /users/{id}", { params: { id: vera.id } })).status).toBe(204);
  await club.settle();
  expect(await holding(/gone/i)).toEqual([]);
});
