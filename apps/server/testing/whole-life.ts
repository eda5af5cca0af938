import { expect } from "vitest";
import { configInput } from "./config-input.ts";
import type { Club, Person } from "./start-club.ts";

/** Everything that a member does, and that an admin does about them; each text of theirs has `word` in it. */
export async function live(club: Club, admin: Person, who: Person, word: string): Promise<void> {
  const [staff, own] = [club.as(admin), club.as(who)];
  const done = async <T extends { status: number }>(answer: Promise<T>): Promise<T> => {
    const got = await answer;
    expect([word, got.status < 300, got]).toEqual([word, true, got]);
    return got;
  };
  const config = await done(
    own.call("POST /vpn/configs", { body: await configInput(club, who, { name: `${word}-1` }) }),
  );
  const spare = await done(
    own.call("POST /vpn/configs", { body: await configInput(club, who, { name: `${word}-2` }) }),
  );
  await club.settle();
  await done(own.call("DELETE /vpn/configs/{id}", { params: { id: spare.body.id } }));
  await done(own.call("POST /support/tickets", { body: { subject: `${word} subject`, description: `${word} words` } }));
  await done(own.call("POST /support/messages", { body: { content: `${word} letter` } }));
  await done(own.call("POST /payments/claim", { body: {} }));
  await done(staff.call("POST /admin/users/{id}/notes", { params: { id: who.id }, body: { content: `${word} note` } }));
  const month = new Date(club.clock.now()).toISOString().slice(0, 7);
  const act = "0123456789abcdef0123456789abcdef";
  await done(
    staff.call("PUT /admin/payments/status", { body: { userId: who.id, period: month, status: "paid", act } }),
  );
  await done(
    staff.call("POST /admin/rules", {
      body: { type: "whitelist", target: `203.0.113.${word.length}`, appliesTo: [who.id] },
    }),
  );
  const { body: servers } = await staff.call("GET /admin/servers");
  await done(staff.call("POST /admin/servers/assign", { body: { userId: who.id, serverId: servers[0]?.id ?? "" } }));
  await done(
    staff.call("PUT /admin/configs/{id}/blocked", { params: { id: config.body.id }, body: { isBlocked: true } }),
  );
  await done(
    staff.call("PUT /admin/configs/{id}/blocked", { params: { id: config.body.id }, body: { isBlocked: false } }),
  );
  await done(own.call("POST /users/generate-invite", { body: {} }));
  await club.settle();
  const { body: devices } = await staff.call("GET /vpn/configs", { query: { scope: "all", q: who.username } });
  const addresses = new Set(devices.map((device) => `${device.staff?.address}/32`));
  expect(addresses.size).toBe(1);
  for (const { peers } of club.host.interfaces.values())
    for (const peer of peers.filter(({ allowedIps }) => allowedIps.some((each) => addresses.has(each))))
      Object.assign(peer, {
        rxBytes: 7_000_000,
        txBytes: 9_000_000,
        lastHandshakeAt: club.clock.now().getTime() - 5_000,
      });
  await club.app.lookAtServers();
  await club.settle();
  expect(JSON.stringify((await own.call("GET /vpn/stats")).body)).toContain("000000");
}
