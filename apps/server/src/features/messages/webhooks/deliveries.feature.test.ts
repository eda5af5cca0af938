import { describe, expect, test } from "vitest";
import {
  admin,
  anna,
  block,
  club,
  DAY_MS,
  deliver,
  later,
  log,
  MINUTE_MS,
  make,
  openClubWithReceiver,
  receiver,
  redeliver,
} from "../../../../testing/webhook-club.ts";

openClubWithReceiver();

describe("a delivery", () => {
  test("can be resent by hand under the same id, with all its tries", async () => {
    const { id } = await make();
    receiver.answer({ status: 500 });
    await block(anna);
    await deliver();
    const [{ id: deliveryId } = expect.unreachable()] = await log(id);
    receiver.answer(null);
    expect((await redeliver(id, deliveryId)).status).toBe(202);
    await deliver();
    expect(await log(id)).toMatchObject([{ id: deliveryId, state: "delivered", attempts: 2, status: 204 }]);
    await redeliver(id, deliveryId);
    await deliver();
    expect(await log(id)).toMatchObject([{ state: "delivered", attempts: 3 }]);
    expect(new Set(receiver.received.map(({ headers }) => headers["webhook-id"]))).toEqual(new Set([deliveryId]));
    expect(new Set(receiver.received.map(({ body }) => body)).size).toBe(1);
    const nobodys = "00000000-0000-4000-8000-000000000000";
    expect((await redeliver(id, nobodys)).code).toBe("webhook.delivery_not_found");
    expect((await redeliver(nobodys, deliveryId)).code).toBe("webhook.delivery_not_found");
  });

  test("that has waited for two days is not sent", async () => {
    const { id } = await make();
    // The receiver asks to wait for 11 hours, and nobody tries again meanwhile: as after a long stop of the panel.
    receiver.answer({ status: 429, headers: { "retry-after": "40000" } });
    await block(anna);
    await deliver();
    await later(2 * DAY_MS + MINUTE_MS);
    receiver.answer(null);
    await deliver();
    expect(receiver.received).toHaveLength(1);
    expect(await log(id)).toMatchObject([{ state: "failed", problem: "too old" }]);
    const [{ id: deliveryId } = expect.unreachable()] = await log(id);
    await redeliver(id, deliveryId);
    await deliver();
    expect(receiver.received, "unless an admin asks for it").toHaveLength(2);
  });

  test("stays in the log for two weeks, page by page", async () => {
    const { id } = await make();
    for (let n = 0; n < 3; n++) {
      await block(anna, n % 2 === 1);
      await later(1_000);
    }
    await deliver();
    const call = "GET /admin/webhooks/{id}/deliveries" as const;
    const first = await club.as(admin).call(call, { params: { id }, query: { limit: 2 } });
    const cursor = first.headers.get("x-next-cursor") ?? expect.unreachable();
    const second = await club.as(admin).call(call, { params: { id }, query: { limit: 2, cursor } });
    expect([...first.body, ...second.body].map(({ event }) => event)).toEqual([
      "member.blocked",
      "member.unblocked",
      "member.blocked",
    ]);
    await later(13 * DAY_MS);
    await club.app.forgetOld();
    expect(await log(id)).toHaveLength(3);
    await later(DAY_MS);
    await club.app.forgetOld();
    expect(await log(id)).toEqual([]);
    expect((await club.allRows()).get("webhook_events")).toEqual([]);
  });

  test("survives restarts", async () => {
    await make();
    receiver.answer({ status: 503 });
    await block(anna);
    await deliver();
    await club.restart();
    receiver.answer(null);
    await later(MINUTE_MS);
    await deliver();
    expect(receiver.received).toHaveLength(2);
  });
});
