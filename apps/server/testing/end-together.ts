import { randomUUID } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";
import { generateKeyPair } from "@krug/wireguard/keys";
import { expect, vi } from "vitest";
import { newMemberRow } from "../src/features/members/members/index.ts";
import type { Club } from "./start-club.ts";
import type { TelegramDouble } from "./telegram-double.ts";

const SUBNET = "10.64.0.0/18";
const addressAt = (index: number) => `10.64.${(index + 2) >> 8}.${(index + 2) & 255}`;
const DAY_MS = 86_400_000;
/** The scheduler's interval between two checks for ends (features/vpn/configs). */
const LOOK_EVERY_MS = 2_000;

interface Wish {
  members: number;
  /** How many of them have linked Telegram. */
  linked: number;
}

/**
 * A club whose subscriptions all end in the same second, each with a device on the wire; all renew, while one other
 * member keeps using the page. Returns how long the cut and the return took, and how the other member was served meanwhile.
 */
export async function endTogether(club: Club, telegram: TelegramDouble, { members: size, linked }: Wish) {
  const { parts } = club.app;
  const admin = await club.admin();
  const as = club.as(admin);
  await as.call("PUT /admin/telegram", { body: { required: false } });
  const [place] = (await as.call("GET /admin/servers/interfaces")).body;
  await as.call("PUT /admin/wireguard/{serverId}/interfaces/{id}", {
    params: { serverId: place?.serverId ?? "", id: place?.id ?? "" },
    body: { subnet: SUBNET },
  });
  const row = await parts.interfaces.find(club.db, place?.id ?? "");
  const actor = await parts.auth.authenticate(admin.token, true);
  if (row === undefined || actor === null) throw new Error("the club has no interface or admin");

  const end = club.clock.now().getTime() + DAY_MS;
  const people = Array.from({ length: size }, (_, n) =>
    newMemberRow({
      username: `one-${n}`,
      role: "user",
      password_hash: "none",
      subscription_end: end + (n % 1_000),
      subscription_source: "payment",
      config_limit: 3,
      accepted_rules_at: end,
      created_at: end - 60 * DAY_MS,
      ...(n < linked && { telegram_id: String(5_000 + n), telegram_language: "ru" }),
    }),
  );
  await club.transact(async (tx) => {
    for (const person of people) await parts.members.insert(tx, person);
    const devices = people.map(({ id }, n) => ({
      memberId: id,
      name: `d-${n}`,
      deviceType: "phone" as const,
      publicKey: generateKeyPair().publicKey,
      privateKey: null,
      presharedKey: null,
      address: addressAt(n),
      counters: undefined,
    }));
    await parts.configs.takeIn(tx, actor, row, devices);
  });
  await club.app.lookAtServers();
  await club.settle();
  expect(club.host.peers()).toHaveLength(size);

  const witness = await club.member({
    username: `witness-${randomUUID().slice(0, 8)}`,
    subscriptionEnd: end + 60 * DAY_MS,
  });
  club.clock.advance(DAY_MS + 1_000);
  let isOver = false;
  const waits: number[] = [];
  const watching = (async () => {
    while (!isOver) {
      const asked = performance.now();
      expect((await club.as(witness).call("GET /vpn/configs")).status).toBe(200);
      waits.push(performance.now() - asked);
      await wait(10);
    }
  })();
  const began = performance.now();
  await parts.configs.cutEnded();
  await vi.waitFor(() => expect(club.host.peers()).toHaveLength(0), { timeout: 120_000, interval: 20 });
  const cutMs = performance.now() - began + LOOK_EVERY_MS;
  await club.settle();
  await parts.inbox.remindOfEnds();
  const sent = () => people.slice(0, linked).flatMap((_, n) => telegram.messagesTo({ id: 5_000 + n, first_name: "" }));
  await vi.waitFor(() => expect(sent()).toHaveLength(linked), { timeout: 60_000 + linked * 60, interval: 50 });

  // As many at once as the interface allows, until everyone is renewed.
  const renewal = { matching: { q: "one-" }, action: "extend" as const, days: 30 };
  const staff = club.as(await club.admin());
  for (let after: string | null = null; ; ) {
    const { status, body }: Awaited<ReturnType<typeof changeSome>> = await changeSome(after);
    expect(status).toBe(200);
    after = body.after;
    if (after === null) break;
  }
  const renewed = performance.now();
  await vi.waitFor(() => expect(club.host.peers()).toHaveLength(size), { timeout: 120_000, interval: 20 });
  const restoreMs = performance.now() - renewed;
  isOver = true;
  await watching;

  function changeSome(after: string | null) {
    return staff.call("POST /admin/users/bulk/matching", { body: { ...renewal, after } });
  }

  type Rows = { notices: { kind: string; member_id: string } };
  const told = await club.db
    .withTables<Rows>()
    .selectFrom("notices")
    .select("member_id")
    .where("kind", "=", "subscription_ended")
    .execute();
  expect(new Set(told.map(({ member_id }) => member_id)).size).toBe(size);
  expect(told).toHaveLength(size);
  waits.sort((a, b) => a - b);
  return {
    cutMs: Math.round(cutMs),
    restoreMs: Math.round(restoreMs),
    answered: waits.length,
    p99Ms: Math.round(waits[Math.floor(waits.length * 0.99)] ?? 0),
    longestMs: Math.round(waits.at(-1) ?? 0),
    tooFast: telegram.tooFast(),
  };
}
