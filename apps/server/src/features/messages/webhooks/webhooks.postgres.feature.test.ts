import { setTimeout as wait } from "node:timers/promises";
import { sql } from "kysely";
import { expect, onTestFinished, test, vi } from "vitest";
import { PASSWORD, type Person, startClub } from "../../../../testing/start-club.ts";
import { startWebhookDouble } from "../../../../testing/webhook-double.ts";

const PATIENCE = { timeout: 20_000, interval: 20 };

async function open() {
  const receiver = await startWebhookDouble();
  onTestFinished(() => receiver.close());
  const club = await startClub({ internetException: receiver.exception });
  onTestFinished(() => club.stop());
  club.names.known.set("other.example", { v4: ["127.0.0.1"], v6: [] });
  const admin = await club.admin();
  await club.as(admin).call("POST /auth/confirm-password", { body: { password: PASSWORD } });
  const hook = async (path: string) =>
    (
      await club.as(admin).call("POST /admin/webhooks", {
        body: { url: receiver.at(path), description: "", events: ["member.blocked", "member.unblocked"] },
      })
    ).body;
  const block = async (who: Person, isActive: boolean, panel: Pick<typeof club, "as"> = club) =>
    expect((await panel.as(admin).call("PUT /users/{id}", { params: { id: who.id }, body: { isActive } })).status).toBe(
      200,
    );
  return { receiver, club, admin, hook, block };
}

test("panels on one database share the work: each event reaches each webhook once, in order", async () => {
  const { receiver, club, hook, block } = await open();
  const other = await club.otherPanel();
  onTestFinished(() => other.stop());
  for (const path of ["/a", "/b", "/c"]) await hook(path);
  const anna = await club.member();
  for (let n = 0; n < 20; n++) {
    await block(anna, n % 2 === 1, n % 3 === 0 ? other : club);
    // Simultaneous writes by two panels have no order, and a test's clock does not move.
    club.clock.advance(1);
  }
  await vi.waitFor(() => expect(receiver.received.length).toBeGreaterThanOrEqual(60), PATIENCE);
  await Promise.all([club.app.parts.webhooks.drain(), other.app.parts.webhooks.drain()]);
  const types = Array.from({ length: 20 }, (_, n) => (n % 2 === 1 ? "member.unblocked" : "member.blocked"));
  for (const path of ["/a", "/b", "/c"]) {
    const bodies = receiver.bodies(path);
    expect(new Set(bodies.map(({ id }) => id)).size).toBe(20);
    expect(bodies.map(({ type }) => type)).toEqual(types);
  }
});

test("what a killed panel had in flight comes again from another, under the same id, once its lease has expired", async () => {
  const { receiver, club, hook, block } = await open();
  const { id } = await hook("/a");
  const anna = await club.member();
  // As a kill between the answer and the mark leaves it: the receiver has it, the row waits, the lease is held.
  await block(anna, false);
  await club.app.parts.webhooks.drain();
  const now = club.clock.now().getTime();
  await sql`update webhook_deliveries set state = 'waiting', next_at = ${now}, attempts = 0`.execute(club.db);
  await sql`insert into leases (name, holder, expires_at) values (${`webhook:${id}`}, 'killed', ${now + 60_000})`.execute(
    club.db,
  );
  const other = await club.otherPanel();
  onTestFinished(() => other.stop());
  await wait(300);
  expect(receiver.received).toHaveLength(1);
  club.clock.advance(60_001);
  await other.app.parts.webhooks.drain();
  expect(receiver.received).toHaveLength(2);
  expect(new Set(receiver.bodies("/a").map((body) => body.id)).size).toBe(1);
  await other.app.parts.webhooks.drain();
  expect(receiver.received).toHaveLength(2);
});

test("deleting a webhook during an event breaks nothing", async () => {
  const { club, admin, hook, block } = await open();
  const anna = await club.member();
  for (let n = 0; n < 10; n++) {
    const { id } = await hook("/a");
    const remove = club.as(admin).call("DELETE /admin/webhooks/{id}", { params: { id } });
    await Promise.all([block(anna, n % 2 === 1), remove]);
    expect((await remove).status).toBe(204);
  }
});
