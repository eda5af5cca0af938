import { randomBytes } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";
import type { Asked, Asking, Reply } from "./asking.ts";
import type { DayMember } from "./club.ts";

/*
 * Members and staff who write. What fails is sent again with the same Idempotency-Key, as their pages do, and a ledger keeps what
 * was acknowledged.
 */
const SEND_AGAIN_MS = 400;
const PATIENCE_MS = 90_000;
const TICK_MS = 50;
const MOST_AT_ONCE = 400;
const JOINED_BY_A_CODE = 50;
const CLAIMS_AT_ONCE = 4;
export const PASSWORD = "correct horse battery";

export interface Ledger {
  /** By the config's id: when it was requested, and its name. */
  devices: Map<string, { memberId: string; name: string; sentAt: number }>;
  messages: Map<string, string>;
  claims: Set<string>;
  paid: Set<string>;
  newcomers: Set<string>;
  /** No answer within the patience: they may exist or not. */
  open: string[];
}
/** How many of each begin in a second. */
export interface Rates {
  registrations: number;
  devices: number;
  claims: number;
  messages: number;
}
export const AT_REST: Rates = { registrations: 0, devices: 0, claims: 0, messages: 0 };

interface Club {
  asking: Asking;
  adminToken: string;
  /** Those who write, each kind of writing its own. */
  makers: readonly (DayMember & { token: string })[];
  payers: readonly (DayMember & { token: string })[];
  writers: readonly (DayMember & { token: string })[];
}

export async function startWork({ asking, adminToken, makers, payers, writers }: Club) {
  const ledger: Ledger = {
    devices: new Map(),
    messages: new Map(),
    claims: new Set(),
    paid: new Set(),
    newcomers: new Set(),
    open: [],
  };
  const wrong: string[] = [];
  let rates = AT_REST;
  let going = true;
  let confirms = true;
  const underWay = new Set<Promise<void>>();

  /** Until it is decided: `expected` are refusals that decide it too. Null if it never was. */
  async function decided(kind: string, asked: Asked, expected: readonly number[] = []): Promise<Reply | null> {
    const sent = { ...asked, ...(asked.method === "GET" ? {} : { key: randomBytes(12).toString("hex") }) };
    for (const from = performance.now(); performance.now() - from < PATIENCE_MS; await wait(SEND_AGAIN_MS)) {
      const reply = await asking.ask(kind, sent);
      if ((reply.status >= 200 && reply.status < 300) || expected.includes(reply.status)) return reply;
      if (reply.status !== 0 && reply.status !== 503 && reply.status !== 429) {
        wrong.push(`${kind}: ${reply.status} ${reply.text.slice(0, 200)}`);
        return null;
      }
    }
    ledger.open.push(kind);
    return null;
  }
  const staff = (kind: string, asked: Asked) => decided(kind, { ...asked, token: adminToken });
  const bodyOf = (reply: Reply | null) => (reply === null || reply.text === "" ? null : JSON.parse(reply.text));

  const someone = makers[0]?.token ?? "";
  const firstOf = async (path: string): Promise<string> =>
    bodyOf(await decided("(catalogue)", { method: "GET", path, token: someone }))[0].id;
  const [serviceId, dnsId] = [await firstOf("/services"), await firstOf("/dns")];
  await staff("(settings)", {
    method: "PUT",
    path: "/admin/payments/settings",
    body: { price: "300", details: "card" },
  });
  const interfaceIds = [makers[0]?.configs[0]?.interfaceId ?? ""];

  let made = 0;
  async function makeDevice(): Promise<void> {
    const number = made++;
    const maker = makers[number % makers.length];
    if (maker === undefined) return;
    const name = `new-${number}`;
    const body = {
      ...{ name, deviceType: "computer", services: [serviceId], dns: dnsId },
      interfaceId: maker.configs[0]?.interfaceId,
    };
    const sentAt = Date.now();
    const reply = await decided("POST /vpn/configs", {
      method: "POST",
      path: "/vpn/configs",
      token: maker.token,
      body,
    });
    if (reply?.status === 201) ledger.devices.set(bodyOf(reply).id, { memberId: maker.id, name, sentAt });
  }
  let written = 0;
  async function write(): Promise<void> {
    const number = written++;
    const writer = writers[number % writers.length];
    if (writer === undefined) return;
    const content = `message ${number} ${randomBytes(4).toString("hex")}`;
    const asked = { method: "POST", path: "/support/messages", token: writer.token, body: { content } };
    if ((await decided("POST /support/messages", asked))?.status === 201) ledger.messages.set(content, writer.id);
  }
  let claimed = 0;
  async function claim(): Promise<void> {
    const payer = payers[claimed++];
    if (payer === undefined) return;
    const asked = { method: "POST", path: "/payments/claim", token: payer.token, body: {} };
    // 409: staff were faster than the answer to an earlier attempt.
    if ((await decided("POST /payments/claim", asked, [409])) !== null) ledger.claims.add(payer.id);
  }
  let codes: Promise<string> | null = null;
  let joined = 0;
  async function join(): Promise<void> {
    const number = joined++;
    if (number % JOINED_BY_A_CODE === 0)
      codes = staff("POST /admin/invite-codes", {
        method: "POST",
        path: "/admin/invite-codes",
        body: { interfaces: interfaceIds, subscriptionDays: 30, maxUses: JOINED_BY_A_CODE },
      }).then((reply) => bodyOf(reply)?.code ?? "");
    const username = `newcomer-${number}`;
    const body = { username, password: PASSWORD, inviteCode: (await codes) ?? "" };
    // Each from an address of its own, as people are.
    const address = `203.${number >> 16}.${(number >> 8) & 255}.${number & 255}`;
    const asked = { method: "POST", path: "/auth/register", body, address };
    // 409: an earlier attempt, whose answer was lost, has created the account.
    if ((await decided("POST /auth/register", asked, [409])) !== null) ledger.newcomers.add(username);
  }
  async function confirmAll(): Promise<void> {
    while (going) {
      await wait(500);
      if (!confirms) continue;
      const asked = { method: "GET", path: "/admin/payments/claims?limit=50" };
      const waiting = bodyOf(await staff("GET /admin/payments/claims", asked)) as { userId: string; period: string }[];
      const confirm = async (own: { userId: string; period: string }[]) => {
        for (const { userId, period } of own) {
          const body = { userId, period, status: "paid" };
          const done = await staff("PUT /admin/payments/status", {
            method: "PUT",
            path: "/admin/payments/status",
            body,
          });
          if (done !== null) ledger.paid.add(userId);
        }
      };
      const hands = Array.from({ length: CLAIMS_AT_ONCE }, (_, hand) =>
        confirm((waiting ?? []).filter((_, index) => index % CLAIMS_AT_ONCE === hand)),
      );
      await Promise.all(hands);
    }
  }

  const owed: Rates = { ...AT_REST };
  const acts = { registrations: join, devices: makeDevice, claims: claim, messages: write };
  const timer = setInterval(() => {
    for (const [name, act] of Object.entries(acts) as [keyof Rates, () => Promise<void>][])
      for (owed[name] += (rates[name] * TICK_MS) / 1_000; owed[name] >= 1; owed[name] -= 1) {
        if (underWay.size >= MOST_AT_ONCE) continue;
        const work: Promise<void> = act().finally(() => underWay.delete(work));
        underWay.add(work);
      }
  }, TICK_MS);
  const confirming = confirmAll();

  return {
    ledger,
    wrong,
    staff,
    acts,
    set(to: Rates) {
      rates = to;
    },
    /** Waits until everything that has begun is decided, and all claims are confirmed. */
    async settle(): Promise<void> {
      rates = AT_REST;
      while (underWay.size > 0) await wait(100);
      for (const until = performance.now() + PATIENCE_MS; performance.now() < until; await wait(200))
        if (ledger.paid.size >= ledger.claims.size) return;
    },
    async end(): Promise<void> {
      clearInterval(timer);
      confirms = false;
      going = false;
      await Promise.all([...underWay, confirming]);
    },
  };
}
export type Work = Awaited<ReturnType<typeof startWork>>;
