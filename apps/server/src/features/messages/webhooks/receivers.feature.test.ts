import { describe, expect, test, vi } from "vitest";
import { auditOf } from "../../../../testing/audit-of.ts";
import type { Person } from "../../../../testing/start-club.ts";
import {
  admin,
  anna,
  block,
  change,
  club,
  confirm,
  DAY_MS,
  deliver,
  HOUR_MS,
  later,
  list,
  log,
  MINUTE_MS,
  make,
  openClubWithReceiver,
  receiver,
  sendTest,
  typesAt,
} from "../../../../testing/webhook-club.ts";
import { checkWords } from "../../../check/words.ts";
import { lookAtWork } from "../../../check/work.ts";

openClubWithReceiver();

describe("a receiver", () => {
  test("in trouble gets the delivery again after growing waits, and it is given up after the tenth try", async () => {
    const { id } = await make({ events: ["member.blocked"] });
    receiver.answer({ status: 500 });
    await block(anna);
    const waits: number[] = [];
    for (let tries = 1; tries <= 10; tries++) {
      await deliver();
      const [row] = await log(id);
      expect(row).toMatchObject({ attempts: tries, status: 500 });
      if (row?.nextAt == null) break;
      const wait = Date.parse(row.nextAt) - club.clock.now().getTime();
      waits.push(wait);
      await later(wait - 1);
      await deliver();
      expect(receiver.received).toHaveLength(tries);
      await later(1);
    }
    const steps = [5, 30, 120, 600, 1_800, 3_600, 10_800, 21_600, 43_200].map((seconds) => seconds * 1_000);
    expect(waits).toHaveLength(steps.length);
    for (const [index, step] of steps.entries()) {
      expect(waits[index]).toBeGreaterThanOrEqual(step);
      // A fifth of jitter; the receiver's own pause is never longer than the wait here.
      expect(waits[index]).toBeLessThanOrEqual(step * 1.2 + 1);
    }
    expect(await log(id, "failed")).toMatchObject([{ state: "failed", attempts: 10, nextAt: null }]);
    expect(new Set(receiver.received.map(({ headers }) => headers["webhook-id"])).size).toBe(1);
    const times = receiver.received.map(({ headers }) => Number(headers["webhook-timestamp"]));
    expect(new Set(times).size).toBe(10);
  });

  test("that fails three times in a row is paused, and holds up no other", async () => {
    const slow = await make({ url: receiver.at("/slow") });
    await make({ url: receiver.at("/well") });
    receiver.answer("silence", "/slow");
    const people = [anna, ...(await Promise.all([1, 2, 3, 4].map(() => club.member())))];
    for (const person of people) await block(person);
    await vi.waitFor(() => expect(receiver.bodies("/well")).toHaveLength(5), { timeout: 1_900, interval: 20 });
    await deliver();
    expect(receiver.bodies("/slow")).toHaveLength(3);
    expect((await log(slow.id)).map(({ attempts, problem }) => [attempts, problem])).toEqual([
      [0, null],
      [0, null],
      [1, "no answer in time"],
      [1, "no answer in time"],
      [1, "no answer in time"],
    ]);
    receiver.answer(null, "/slow");
    await later(MINUTE_MS);
    await deliver();
    expect(await log(slow.id, "delivered")).toHaveLength(5);
    expect((await list())[0]).toMatchObject({ failingSince: null, waiting: 0, failed: 0 });
  });

  test("that asks to wait is left alone until then", async () => {
    const { id } = await make();
    receiver.answer({ status: 429, headers: { "retry-after": "120" } });
    await block(anna);
    await deliver();
    const [row] = await log(id);
    expect(Date.parse(row?.nextAt ?? "") - club.clock.now().getTime()).toBe(120_000);
    receiver.answer(null);
    await block(anna, true);
    await later(119_000);
    await deliver();
    expect(receiver.received).toHaveLength(1);
    await later(1_000);
    await deliver();
    expect(typesAt("/hook")).toEqual(["member.blocked", "member.unblocked", "member.blocked"]);
  });

  test("that answers 410 gets nothing more, and only admins learn why", async () => {
    const moderator = await club.moderator();
    const { id } = await make();
    receiver.answer({ status: 410 });
    await block(anna);
    await block(anna, true);
    await deliver();
    expect(receiver.received).toHaveLength(1);
    const [off] = await list();
    expect(off).toMatchObject({ enabled: false, offBecause: "gone", waiting: 0 });
    expect(off?.failed).toBeGreaterThan(0);
    expect(await club.app.parts.webhooks.backlog(club.db)).toEqual({ waiting: 0, failed: off?.failed });
    expect(await lookAtWork(checkWords.en, club.app, club.clock.now())).toContainEqual(
      expect.objectContaining({ code: "webhooks.off", level: "note" }),
    );
    await block(anna);
    await deliver();
    expect(receiver.received).toHaveLength(1);
    const told = async (who: Person) =>
      (await club.as(who).call("GET /inbox")).body.filter(({ kind }) => kind === "webhook_off");
    expect(await told(admin)).toMatchObject([{ params: { host: `other.example:${receiver.port}`, because: "gone" } }]);
    expect(await told(moderator)).toEqual([]);
    expect(await auditOf(club, id)).toContainEqual(
      expect.objectContaining({ action: "webhook.switched_off", actorId: null }),
    );
    expect((await sendTest(id)).code).toBe("webhook.off");
    await confirm();
    expect((await change(id, { enabled: true })).body).toMatchObject({ enabled: true, offBecause: null });
    receiver.answer(null);
    await deliver();
    expect(receiver.received, "what waited before is not sent").toHaveLength(1);
    await sendTest(id);
    await deliver();
    expect(typesAt("/hook").at(-1)).toBe("webhook.test");
  });

  test("that has only failed for three days is switched off", async () => {
    const { id } = await make();
    receiver.answer("cut");
    for (let day = 0; day < 3; day++) {
      await block(anna, day % 2 === 1);
      for (let tries = 0; tries < 5; tries++) {
        await deliver();
        await later(HOUR_MS);
      }
      expect((await list())[0]?.enabled).toBe(true);
      await later(DAY_MS - 5 * HOUR_MS + MINUTE_MS);
    }
    await deliver();
    expect((await list())[0]).toMatchObject({ id, enabled: false, offBecause: "failing" });
  });

  test.each([301, 302, 307, 308])("that redirects with %i is not followed", async (status) => {
    const { id } = await make();
    receiver.answer({ status, headers: { location: receiver.at("/elsewhere") } }, "/hook");
    await block(anna);
    await deliver();
    expect(receiver.received.map(({ url }) => new URL(url).pathname)).toEqual(["/hook"]);
    expect(await log(id)).toMatchObject([{ state: "waiting", status }]);
  });
});
