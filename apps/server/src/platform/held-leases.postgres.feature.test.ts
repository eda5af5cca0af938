import { setTimeout as wait } from "node:timers/promises";
import { sql } from "kysely";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { type Club, startClub } from "../../testing/start-club.ts";
import { type HeldLeases, LEASE_MS, makeHeldLeases } from "./held-leases.ts";

let club: Club;
let panels: HeldLeases[] = [];
const aPanel = (panelId: string): HeldLeases => {
  const { db, log } = club.app.parts;
  const panel = makeHeldLeases({ db, log, panelId });
  panels.push(panel);
  return panel;
};
beforeEach(async () => {
  club = await startClub();
});
afterEach(async () => {
  for (const panel of panels) await panel.release();
  panels = [];
  await club.stop();
});
/** As if its holder had not renewed anything for a long time. */
const letItRunOut = () => sql`update leases set expires_at = 0 where name = 'one'`.execute(club.db);

/** Its holder may renew it between the two steps. */
const takeOver = (panel: HeldLeases) =>
  vi.waitFor(async () => {
    await letItRunOut();
    const lease = await panel.hold("one");
    expect(lease).not.toBeNull();
    return lease;
  }, LEASE_MS);

test("of several who ask at once only one gets it, even if two are the same panel in different processes", async () => {
  const held = await Promise.all(["a", "b", "a"].map((panelId) => aPanel(panelId).hold("one")));
  expect(held.filter((lease) => lease !== null)).toHaveLength(1);
});

test("it is renewed for as long as its holder lives, and free at once when the holder gives it back", async () => {
  const [a, b] = [aPanel("a"), aPanel("b")];
  const first = await a.hold("one");
  await wait(LEASE_MS + 1_500);
  expect(await b.hold("one")).toBeNull();
  expect(await b.heldElsewhere("one")).not.toBeNull();
  expect([await first?.isOurs(), await a.heldElsewhere("one")]).toEqual([true, null]);
  await a.release();
  expect(await first?.isOurs()).toBe(false);
  expect((await b.hold("one"))?.number).toBe((first?.number ?? 0) + 1);
  expect(await a.hold("one")).toBeNull();
});

test("a new holder gets a higher number, and the earlier holder never regains it by the old one", async () => {
  const [a, b] = [aPanel("a"), aPanel("b")];
  const first = await a.hold("one");
  const second = await takeOver(b);
  expect(second?.number).toBe((first?.number ?? 0) + 1);
  await expect.poll(() => first?.isOurs(), { timeout: LEASE_MS }).toBe(false);
  const third = await takeOver(a);
  expect(third?.number).toBe((second?.number ?? 0) + 1);
  expect([await first?.isOurs(), await third?.isOurs()]).toEqual([false, true]);
});

test("an expired lease that nobody took still belongs to its holder", async () => {
  const a = aPanel("a");
  const first = await a.hold("one");
  await letItRunOut();
  await expect.poll(() => aPanel("b").heldElsewhere("one"), { timeout: LEASE_MS }).not.toBeNull();
  expect([await first?.isOurs(), (await a.hold("one"))?.number]).toEqual([true, first?.number]);
});

test("it may be taken as part of a change, and not while another panel has it", async () => {
  const [a, b] = [aPanel("a"), aPanel("b")];
  expect(await club.transact((tx) => a.take(tx, "one"))).toBe(true);
  expect(await club.transact((tx) => b.take(tx, "one"))).toBe(false);
  expect(await b.hold("one")).toBeNull();
  expect((await a.hold("one"))?.number).toBe(1);
});
