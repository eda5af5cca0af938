import { randomUUID } from "node:crypto";
import { expect, onTestFinished, test } from "vitest";
import { newMemberRow } from "../apps/server/src/features/members/members/index.ts";
import type { MemberTables } from "../apps/server/src/features/members/members/table.ts";
import { startClub } from "../apps/server/testing/start-club.ts";

const DAY_MS = 86_400_000;
const SIZE = 100_000;
/** How many friends everyone has invited, until all members exist. */
const FRIENDS = 4;
/** Subscriptions end over this many days. */
const ENDS_WITHIN_DAYS = 60;
const ACTS = 20;

/** The cost in ms of wall clock and of the processor. */
async function costOf(work: () => Promise<unknown>) {
  const [began, cpu] = [performance.now(), process.cpuUsage()];
  await work();
  const { user, system } = process.cpuUsage(cpu);
  return { ms: Math.round(performance.now() - began), cpuMs: Math.round((user + system) / 1_000) };
}

test("in a tree of 100,000 friends an action costs in proportion to its inviters' friends, and a check to what has ended", async () => {
  const club = await startClub();
  onTestFinished(() => club.stop());
  const { referral, members } = club.app.parts;
  const now = club.clock.now().getTime();
  const ids = Array.from({ length: SIZE }, () => randomUUID());
  for (let from = 0; from < SIZE; from += 500)
    await club.transact(async (tx) => {
      const tables = tx.withTables<MemberTables>();
      const rows = ids.slice(from, from + 500).map((id, n) => {
        const place = from + n;
        const row = newMemberRow({
          id,
          username: `m-${place}`,
          role: "user",
          password_hash: "none",
          // Those in the middle of the tree have what their friends earn for them.
          subscription_end: FRIENDS * place + FRIENDS < SIZE ? null : now + ((place % ENDS_WITHIN_DAYS) + 1) * DAY_MS,
          subscription_source: "payment",
          config_limit: 3,
          created_at: now,
          friend_of: place === 0 ? null : (ids[Math.floor((place - 1) / FRIENDS)] ?? null),
        });
        return { ...row, display_name_key: row.display_name };
      });
      await tables.insertInto("members").values(rows).execute();
      const use = {
        last_handshake_at: now,
        month_bytes: 0,
        recent_bytes: 0,
        life_bytes: 0,
        period: "",
        period_bytes: 0,
      };
      await tables
        .insertInto("member_use")
        .values(rows.map(({ id }) => ({ member_id: id, month_as_of: "2026-11-21", ...use })))
        .execute();
    });
  const held = async () => (await members.idsWithReferral(club.db)).length;
  /** The check, and what follows from it up the tree. */
  const look = () => costOf(() => referral.look().then(() => club.settle()));

  const first = await look();
  expect(await held()).toBe(Math.floor(SIZE / FRIENDS));
  const everyone = await costOf(referral.recount);
  const idle = await look();
  const admin = await club.admin();
  // With the second blocked friend an inviter has too few. The one above has three left, and there it stops.
  const acts = await costOf(async () => {
    for (const id of ids.slice(-ACTS)) {
      expect((await club.as(admin).call("PUT /users/{id}", { params: { id }, body: { isActive: false } })).status).toBe(
        200,
      );
      await club.settle();
    }
  });
  const ahead = await costOf(() => referral.endsAhead(3 * DAY_MS));
  club.clock.advance(DAY_MS);
  const day = await look();
  const afterDay = await held();
  const again = await costOf(referral.recount);
  await club.settle();
  expect(await held(), "a count of everyone finds nothing that the looks have missed").toBe(afterDay);
  console.info(`referral of 100,000: ${JSON.stringify({ first, everyone, idle, acts, ahead, day, again, afterDay })}`);
  expect(idle.cpuMs).toBeLessThan(everyone.cpuMs / 10);
  expect(acts.cpuMs / ACTS).toBeLessThan(everyone.cpuMs / 10);
}, 600_000);
