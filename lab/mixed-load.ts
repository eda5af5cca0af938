import { randomBytes } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";
import { aPicture, asDataUrl } from "../apps/server/testing/a-picture.ts";
import { PASSWORD } from "./panel.ts";
import { codeNow } from "./time-code.ts";

/*
 * Members and staff at work, each one request after the other. Failed requests are repeated as their pages do, with the same
 * Idempotency-Key, and a ledger records what the panel has acknowledged.
 */
const READERS = 24;
const WRITERS = 6;
const DEVICE_MAKERS = 4;
const PAYERS = 2;
const STAFF = 3;
const THINK_MS = 400;
const SEND_AGAIN_MS = 400;
/** After that a client gives up, and whether it was done is unknown. The same when the load ends. */
const PATIENCE_MS = 90_000;
/** Longer than the panel itself waits for its database. */
const ANSWER_MS = 40_000;
const ALLOWED_FAILURES = new Set([503, 507]);

export interface LoadMember {
  id: string;
  token: string;
}

/** What the clients know: `null` if no answer came in the end. */
export interface Ledger {
  messages: Map<string, { memberId: string; picture: boolean; acknowledged: boolean }>;
  /** By member and name. */
  devices: Map<string, { memberId: string; name: string; stands: boolean | null }>;
  claims: Map<string, { acknowledged: boolean; receipt: boolean }>;
  /** Members whose month staff have set to paid. */
  paid: Map<string, boolean>;
  newcomers: Map<string, boolean>;
  /** Ids of the staff's invite codes. */
  codes: Set<string>;
}

interface Kind {
  /** ms, for answers while nothing was wrong. */
  calm: number[];
  longestMs: number;
  answered: number;
  sentAgain: number;
}

export interface Load {
  readonly ledger: Ledger;
  readonly kinds: Map<string, Kind>;
  /** Answers that must never occur, as text. */
  readonly wrong: string[];
  /** The answers during each fault: its name → status (0: no answer) → how often. */
  readonly during: Map<string, Map<string, number>>;
  /** Sets the current fault; null: none. Staff's sign-in and codes may be refused only if `staffLockedOut`. */
  fault(name: string | null, staffLockedOut?: boolean): void;
  answered(): number;
  /** Waits until staff are past their second factor. */
  staffAreIn(withinMs: number): Promise<void>;
  /** All stop between two requests. Returns how to continue. */
  pause(): Promise<void>;
  resume(): void;
  end(): Promise<void>;
  staff: { call(kind: string, call: Call): Promise<Reply | null> };
}

interface Call {
  method: string;
  path: string;
  body?: object;
  token?: string;
  key?: string;
  /** Statuses of refusals that count as an answer here. */
  expected?: readonly number[];
  /** The client's address; by default the member's own. */
  address?: string;
}
interface Reply {
  status: number;
  // biome-ignore lint/suspicious/noExplicitAny: answers of many calls
  body: any;
}

export interface LoadOptions {
  url: string;
  admin: { id: string; token: string; secret: string };
  /** Each only reads. */
  readers: readonly LoadMember[];
  /** Each writes messages, or pays once. */
  writers: readonly LoadMember[];
  payers: readonly LoadMember[];
  makers: readonly LoadMember[];
  interfaceId: string;
}

export async function startLoad(options: LoadOptions): Promise<Load> {
  const { url, readers, writers, payers, makers, interfaceId } = options;
  const ledger: Ledger = {
    messages: new Map(),
    devices: new Map(),
    claims: new Map(),
    paid: new Map(),
    newcomers: new Map(),
    codes: new Set(),
  };
  const kinds = new Map<string, Kind>();
  const wrong: string[] = [];
  const during = new Map<string, Map<string, number>>();
  const picture = asDataUrl(
    await aPicture({ media: "image/jpeg", width: 480, height: 360, noise: true }),
    "image/jpeg",
  );
  let fault: string | null = null;
  let lockedOut = false;
  let going = true;
  let answered = 0;
  let working = 0;
  let paused: { until: Promise<void>; go(): void } | null = null;
  const admin = { ...options.admin, isIn: true };

  const note = (kind: string): Kind => {
    const known = kinds.get(kind) ?? { calm: [], longestMs: 0, answered: 0, sentAgain: 0 };
    kinds.set(kind, known);
    return known;
  };
  const count = (status: number) => {
    if (fault === null) return;
    const known = during.get(fault) ?? new Map<string, number>();
    during.set(fault, known);
    known.set(String(status), (known.get(String(status)) ?? 0) + 1);
  };
  const sentence = (body: unknown) => (body as { error?: { message?: string } } | null)?.error?.message ?? "";

  async function once(call: Call): Promise<Reply | null> {
    const { method, path, body, token, key, address = "127.0.0.1" } = call;
    try {
      const response = await fetch(`${url}/api${path}`, {
        method,
        headers: {
          "x-forwarded-for": address,
          ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
          ...(body === undefined ? {} : { "content-type": "application/json" }),
          ...(key === undefined ? {} : { "idempotency-key": key }),
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        signal: AbortSignal.timeout(ANSWER_MS),
      });
      const text = await response.text();
      let parsed: unknown = text;
      try {
        parsed = text === "" ? null : JSON.parse(text);
      } catch {
        // A config's file.
      }
      return { status: response.status, body: parsed };
    } catch {
      return null;
    }
  }

  /** Repeats it until it is decided; null if it never was. An answer may be lost, hence the key, if the call takes one. */
  async function ask(kind: string, call: Call, patienceMs = PATIENCE_MS): Promise<Reply | null> {
    const figures = note(kind);
    const began = performance.now();
    while (performance.now() - began < patienceMs) {
      const wasCalm = fault === null;
      const from = performance.now();
      const reply = await once(call);
      const tookMs = performance.now() - from;
      figures.longestMs = Math.max(figures.longestMs, tookMs);
      count(reply?.status ?? 0);
      if (reply !== null && (reply.status < 300 || call.expected?.includes(reply.status))) {
        figures.answered += 1;
        answered += 1;
        if (wasCalm && fault === null) figures.calm.push(tookMs);
        return reply;
      }
      if (reply !== null && ALLOWED_FAILURES.has(reply.status)) {
        if (sentence(reply.body) === "") wrong.push(`${kind}: ${reply.status} without a sentence`);
        if (wasCalm && fault === null)
          wrong.push(`${kind}: ${reply.status} while nothing was wrong: ${sentence(reply.body)}`);
      } else if (reply !== null && reply.status !== 429) {
        wrong.push(`${kind}, ${fault ?? "calm"}: ${reply.status} ${JSON.stringify(reply.body).slice(0, 200)}`);
        return reply;
      }
      if (!going) return null;
      figures.sentAgain += 1;
      await wait(SEND_AGAIN_MS);
    }
    return null;
  }

  const key = () => randomBytes(12).toString("hex");
  const random = <Item>(list: readonly Item[]) => list[Math.floor(Math.random() * list.length)] as Item;

  // Staff: one session, like one person's several tabs. If it is refused, one of them signs in again.
  let renewing: Promise<void> | null = null;
  async function renew(): Promise<void> {
    admin.isIn = false;
    const signedIn = await ask("staff sign in", {
      method: "POST",
      path: "/auth/login",
      body: { username: "olga", password: PASSWORD },
    });
    const token: string | undefined = signedIn?.body?.token;
    while (token !== undefined && going) {
      const body = { token: codeNow(admin.secret) };
      const call = { method: "POST", path: `/totp/${admin.id}/verify`, token, body, expected: [401, 429] };
      const reply = await ask("second factor", call);
      if (reply?.status === 401) return;
      if (reply?.body?.valid === true) {
        admin.token = reply.body.token ?? token;
        admin.isIn = true;
        return;
      }
      await wait(8_000);
    }
  }
  async function askAsStaff(kind: string, call: Call): Promise<Reply | null> {
    const expected = [...(call.expected ?? []), 401, 403];
    const reply = await ask(kind, { ...call, token: admin.token, expected });
    if (reply === null || (reply.status !== 401 && reply.status !== 403)) return reply;
    if (!lockedOut) wrong.push(`${kind}, ${fault ?? "calm"}: ${reply.status} ${sentence(reply.body)}`);
    renewing ??= renew().finally(() => {
      renewing = null;
    });
    await renewing;
    return null;
  }

  const work: Promise<void>[] = [];
  function person(turn: (turn: number) => Promise<void>, thinkMs = THINK_MS): void {
    const live = async () => {
      await wait(Math.random() * thinkMs);
      for (let nth = 0; going; nth += 1) {
        if (paused !== null) await paused.until;
        working += 1;
        await turn(nth).finally(() => {
          working -= 1;
        });
        await wait(thinkMs);
      }
    };
    work.push(live());
  }

  for (let nth = 0; nth < READERS; nth += 1)
    person(async () => {
      const { token } = random(readers);
      for (const path of ["/auth/me", "/vpn/configs", "/support/unread", "/payments/own"])
        await ask(`read ${path}`, { method: "GET", path, token });
    });

  for (let nth = 0; nth < WRITERS; nth += 1)
    person(async (turn) => {
      const { id, token } = writers[(turn * WRITERS + nth) % writers.length] as LoadMember;
      const hasPicture = turn % 5 === 0;
      const content = `message ${nth}:${turn} ${randomBytes(4).toString("hex")}`;
      ledger.messages.set(content, { memberId: id, picture: hasPicture, acknowledged: false });
      const body = { content, attachments: hasPicture ? [picture] : [] };
      const kind = hasPicture ? "message with picture" : "message";
      const reply = await ask(kind, { method: "POST", path: "/support/messages", token, body, key: key() });
      if (reply?.status === 201)
        ledger.messages.set(content, { memberId: id, picture: hasPicture, acknowledged: true });
    });

  const firstOf = (reply: Reply | null) => reply?.body?.[0]?.id as string;
  const someone = makers[0]?.token ?? "";
  const serviceId = firstOf(await ask("read /services", { method: "GET", path: "/services", token: someone }));
  const dnsId = firstOf(await ask("read /dns", { method: "GET", path: "/dns", token: someone }));
  for (let nth = 0; nth < DEVICE_MAKERS; nth += 1)
    person(async (turn) => {
      const { id, token } = makers[(turn * DEVICE_MAKERS + nth) % makers.length] as LoadMember;
      const name = `new-${nth}-${turn}`;
      const stands = (value: boolean | null) =>
        void ledger.devices.set(`${id} ${name}`, { memberId: id, name, stands: value });
      stands(null);
      const input = { name, deviceType: "computer", services: [serviceId], dns: dnsId, interfaceId };
      const made = await ask("create device", { method: "POST", path: "/vpn/configs", token, body: input, key: key() });
      if (made?.status !== 201) return;
      stands(true);
      const device = `/vpn/configs/${made.body.id}`;
      await ask("download file", { method: "GET", path: `${device}/download`, token });
      if (turn % 3 === 0) return;
      stands(null);
      const gone = await ask("delete device", { method: "DELETE", path: device, token });
      if (gone?.status !== 204) return;
      stands(false);
      if (turn % 3 === 1) return;
      stands(null);
      // It can be restored for a minute only. After a lost answer it already is.
      const call = { method: "POST", path: `${device}/restore`, token, expected: [404, 409, 410, 422] };
      const back = await ask("restore device", call);
      if (back !== null && back.status < 300) stands(true);
    }, 700);

  for (let nth = 0; nth < PAYERS; nth += 1)
    person(async (turn) => {
      const payer = payers[turn * PAYERS + nth];
      if (payer === undefined) return;
      const receipt = turn % 4 === 0;
      ledger.claims.set(payer.id, { acknowledged: false, receipt });
      const body = receipt ? { receipt: picture } : {};
      // 409: staff were faster than the answer to an earlier attempt.
      const call = { method: "POST", path: "/payments/claim", token: payer.token, body, expected: [409] };
      const reply = await ask("claim to have paid", call);
      if (reply !== null && reply.status < 300) ledger.claims.set(payer.id, { acknowledged: true, receipt });
    }, 1_200);

  const offered: string[] = [];
  let offers = 0;
  for (let nth = 0; nth < STAFF; nth += 1)
    person(async (turn) => {
      const letter = "abcdefghij"[turn % 10];
      await askAsStaff("staff's members", { method: "GET", path: `/users?limit=50&q=${letter}&sort=name` });
      await askAsStaff("staff's search", { method: "GET", path: `/admin/search?q=member-0-${turn % 300}` });
      await askAsStaff("staff's conversations", { method: "GET", path: "/admin/support/conversations?limit=30" });
      const claims = await askAsStaff("staff's claims", { method: "GET", path: "/admin/payments/claims?limit=30" });
      const mine = (Array.isArray(claims?.body) ? claims.body : [])
        .filter((_, index) => index % STAFF === nth)
        .slice(0, 2);
      for (const { userId, period } of mine) {
        ledger.paid.set(userId, ledger.paid.get(userId) ?? false);
        const body = { userId, period, status: "paid" };
        const reply = await askAsStaff("confirm a payment", { method: "PUT", path: "/admin/payments/status", body });
        if (reply?.status === 200) ledger.paid.set(userId, true);
      }
      if (nth > 0 || offered.length > 2) return;
      const body = { interfaces: [interfaceId], subscriptionDays: 30, maxUses: 3 };
      const made = await askAsStaff("make an invite code", { method: "POST", path: "/admin/invite-codes", body });
      if (made?.status !== 201) return;
      ledger.codes.add(made.body.id);
      offered.push(...Array<string>(3).fill(made.body.code));
    }, 1_500);

  person(async (turn) => {
    // A friend's code, or a staff code.
    const inviter = makers[makers.length - 1 - (turn % Math.floor(makers.length / 2))] as LoadMember;
    const call = { method: "POST", path: "/users/generate-invite", token: inviter.token, body: {} };
    const code = turn % 2 === 0 ? (await ask("invite a friend", call))?.body?.code : offered.shift();
    if (typeof code !== "string") return;
    offers += 1;
    const username = `newcomer-${offers}`;
    // Each from its own address, as people are.
    const address = `203.0.${113 + Math.floor(offers / 250)}.${1 + (offers % 250)}`;
    ledger.newcomers.set(username, false);
    const body = { username, password: PASSWORD, inviteCode: code };
    // 409: an earlier attempt, whose answer was lost, has created the account. 401, 422: it used up the code.
    const joined = await ask("register", {
      method: "POST",
      path: "/auth/register",
      body,
      address,
      expected: [400, 401, 404, 409, 422],
    });
    if (joined?.status !== 201) return;
    ledger.newcomers.set(username, true);
    const login = { username, password: PASSWORD };
    const signedIn = await ask("sign in", { method: "POST", path: "/auth/login", body: login, address });
    if (signedIn?.status === 200)
      await ask("read /auth/me", { method: "GET", path: "/auth/me", token: signedIn.body.token });
  }, 2_500);

  return {
    ledger,
    kinds,
    wrong,
    during,
    answered: () => answered,
    fault(name, staffLockedOut = false) {
      fault = name;
      lockedOut = staffLockedOut;
    },
    async staffAreIn(withinMs) {
      for (const until = performance.now() + withinMs; ; await wait(200)) {
        // The next request shows whether the session still counts.
        const reply =
          renewing === null ? await askAsStaff("staff's members", { method: "GET", path: "/users?limit=1" }) : null;
        if (reply?.status === 200) return;
        if (performance.now() > until) throw new Error(`staff are not in again after ${withinMs / 1_000} s`);
      }
    },
    async pause() {
      let go = () => {};
      const until = new Promise<void>((resolve) => {
        go = resolve;
      });
      paused = { until, go };
      while (working > 0) await wait(50);
    },
    resume() {
      paused?.go();
      paused = null;
    },
    async end() {
      going = false;
      paused?.go();
      await Promise.all(work);
    },
    staff: { call: askAsStaff },
  };
}
