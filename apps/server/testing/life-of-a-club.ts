import { noticeText, type Told } from "@krug/domain/notices";
import { expect, vi } from "vitest";
import { OUTBOX_WRITTEN } from "../src/features/messages/outbox/outbox.ts";
import type { ClubTime } from "../src/platform/club-time.ts";
import { type ModelMember, makeClubModel } from "./club-model.ts";
import { configInput } from "./config-input.ts";
import { newDevice } from "./devices-model.ts";
import { randomOf } from "./random-of.ts";
import { makeRarerActs } from "./rarer-acts.ts";
import type { Club, Person } from "./start-club.ts";
import type { TelegramDouble } from "./telegram-double.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** By the number of months; what does not divide by them shows whether shares add up. */
const PRICES = { 1: "300", 3: "800.01", 12: "2900" } as const;
/** New members' limit of devices (decisions, section 2). */
const LIMIT = 3;
const LOOKS_A_DAY = 4;

const titleOf = (told: Told) =>
  noticeText(told, "ru", { day: String, moment: String, size: String, money: String }).title;
/** Notices about friends are deleted with them; the model leaves that to referral.feature.test.ts. */
const OF_FRIENDS = {
  kinds: ["friend_connected", "referral_earned"],
  titles: [
    titleOf({ kind: "friend_connected", params: { friend: "" } }),
    titleOf({ kind: "referral_earned", params: { friends: 3 } }),
  ],
};

interface LifeWish {
  seed: number;
  days: number;
  /** How many members the club starts with. */
  members: number;
  /** Between two checks. */
  acts: number;
  graceHours: number;
  /** How many of the first members have linked theirs; they are neither blocked nor deleted. */
  linked: number;
  /** Also months paid ahead, devices that end or that nobody uses, and groups with interfaces. */
  withRarer?: boolean;
}

/**
 * Lets a club live under a manual clock: members join, pay, come and go, staff make mistakes and correct them, and now and then
 * the clock itself jumps. Several times a day everything is compared with the model: who is entitled and until when, the peers on
 * the wire, the payments' sums, and everyone's notices. Returns how much of each there was.
 */
export async function liveClub(club: Club, telegram: TelegramDouble, wish: LifeWish) {
  const { seed, days, members: size, acts: actsALook, graceHours } = wish;
  const { below, one } = randomOf(seed);
  const { parts } = club.app;
  const zone = club.config.clubTimeZone ?? "Europe/Moscow";
  const model = makeClubModel({ zone, prices: { 1: 30_000, 3: 80_001, 12: 290_000 }, graceHours });
  const happened: Record<string, number> = {};
  const trace: string[] = [];
  const now = () => club.clock.now().getTime();
  const everyone = () => [...model.members.values()];

  const chief = await club.admin({ username: "chief", row: { is_unlimited: 1 } });
  const session = async ({ id, username }: { id: string; username: string }, elevated = false): Promise<Person> => {
    const { token } = await club.transact(async (tx) => {
      const row = await parts.members.find(tx, id);
      if (row === undefined) throw new Error(`${username} is gone`);
      return parts.auth.openSession(tx, row, "Test");
    });
    const actor = elevated ? await parts.auth.authenticate(token, true) : null;
    const renewed = actor && (await club.transact((tx) => parts.auth.renewToken(tx, actor, true)));
    return { id, username, password: "", token: renewed?.token ?? token };
  };
  let admin = club.as(chief);
  await admin.call("PUT /admin/payments/settings", {
    body: { price: PRICES[1], price3: PRICES[3], price12: PRICES[12] },
  });
  await admin.call("PUT /admin/telegram", { body: { required: false } });
  await admin.call("PUT /admin/settings", { body: { graceHours } });
  const linked = new Map<string, number>();
  /** Notices that named somebody who has left since. */
  const withdrawn: { of: string; what: string }[] = [];

  const note = (what: string, member: ModelMember, isAllowed: boolean, status: number) => {
    trace.push(`${club.clock.now().toISOString()} ${what} ${member.username} ${status}`);
    happened[what] = (happened[what] ?? 0) + 1;
    expect(status < 400, `${trace.slice(-12).join("\n")}\nallowed by the model: ${isAllowed}`).toBe(isAllowed);
  };
  const change = async (member: ModelMember, body: object) =>
    (await admin.send("PUT", `/api/users/${member.id}`, body)).status;
  const keyOf = async (configId: string): Promise<string> => {
    const [row] = await parts.configs.byIds(club.db, [configId]);
    return parts.configs.peerOf(row as never).publicKey;
  };

  const acts: Record<string, (member: ModelMember) => Promise<void>> = {
    async pay(member) {
      const isAllowed = model.setStatus(member, "paid", now());
      note("pay", member, isAllowed, await setStatus(member, "paid"));
    },
    async prepay(member) {
      const months = below(4) === 0 ? 12 : 3;
      const isAllowed = model.setStatus(member, "paid", now(), months);
      note("prepay", member, isAllowed, await setStatus(member, "paid", months));
    },
    async claimAndPay(member) {
      const record = member.months.get(model.monthOf(now()))?.status;
      const isFree = member.isUnlimited || (model.earned(now()).has(member.id) && !model.runs(member, now()));
      const mayClaim = !member.isBlocked && !isFree && record !== "paid" && record !== "not_required";
      if (member.isBlocked) return;
      const answer = await club.as(await session(member)).call("POST /payments/claim", { body: {} });
      note("claim", member, mayClaim, answer.status);
      if (mayClaim) await acts.pay?.(member);
    },
    async overdue(member) {
      const isAllowed = model.setStatus(member, "overdue", now());
      note("overdue", member, isAllowed, await setStatus(member, "overdue"));
    },
    async waive(member) {
      const isAllowed = model.setStatus(member, "not_required", now());
      note("waive", member, isAllowed, await setStatus(member, "not_required"));
    },
    async extend(member) {
      const days = 1 + below(20);
      const amount = below(2) * (1 + below(50_000));
      const isAllowed = model.extend(member, days, now(), amount);
      const { body, status } = await admin.call("POST /admin/users/bulk", {
        body: {
          ids: [member.id],
          action: "extend",
          days,
          ...(amount > 0 ? { amount: (amount / 100).toFixed(2) } : {}),
        },
      });
      note(
        amount > 0 ? "extendForMoney" : "extend",
        member,
        isAllowed,
        status === 200 && body.changed.length === 1 ? 200 : 409,
      );
    },
    async clear(member) {
      member.end = null;
      member.isTrial = false;
      note("clear", member, true, await change(member, { subscriptionEnd: null }));
    },
    async unlimited(member) {
      member.isUnlimited = !member.isUnlimited;
      // Unchecked without a date: that clears the end (specification, operator's side 5).
      if (!member.isUnlimited) Object.assign(member, { end: null, isTrial: false });
      note("unlimited", member, true, await change(member, { isUnlimited: member.isUnlimited }));
    },
    async block(member) {
      if (linked.has(member.id)) return;
      member.isBlocked = !member.isBlocked;
      note("block", member, true, await change(member, { isActive: !member.isBlocked }));
    },
    async leave(member) {
      if (linked.has(member.id) || model.members.size < size / 2) return;
      model.members.delete(member.id);
      for (const row of await noticesAbout(member.id)) withdrawn.push({ of: row.member_id, what: row.what });
      note("leave", member, true, (await admin.call("DELETE /users/{id}", { params: { id: member.id } })).status);
    },
    async join(inviter) {
      if (inviter.isBlocked) return;
      const isAllowed = model.mayInvite(inviter, now(), model.earned(now()));
      const as = club.as(await session(inviter));
      const made = await as.call("POST /users/generate-invite", { body: {} });
      // Ten a month are enough for anybody; the model does not count them.
      if (made.code === "invite.monthly_limit") return;
      note("invite", inviter, isAllowed, made.status);
      if (!isAllowed) return;
      const username = `friend-${model.members.size}-${below(1e9)}`;
      const { status, body } = await club.guest.call("POST /auth/register", {
        body: { username, password: "a Password of 1 friend", inviteCode: made.body.code },
      });
      const friend = model.join({
        id: body.user?.id ?? "",
        username,
        invitedBy: inviter.id,
        end: now() + 3 * DAY_MS,
        isTrial: true,
      });
      friend.assigned = model.devices.placesOf(inviter);
      note("join", friend, true, status);
      await club.withToken(body.token).call("POST /users/accept-rules");
    },
    async makeDevice(member) {
      if (member.isBlocked) return;
      const isAllowed = model.isEntitled(member, now(), model.earned(now())) && member.devices.length < LIMIT;
      const person = await session(member);
      const name = `d-${below(1e9)}`;
      const answer = await club.as(person).call("POST /vpn/configs", {
        body: await configInput(club, person, { name }),
      });
      note("makeDevice", member, isAllowed, answer.status);
      if (!isAllowed) return;
      const { id, interfaceId: place } = answer.body;
      member.devices.push(newDevice({ id, key: await keyOf(id), name, place, madeAt: now() }));
    },
    async removeDevice(member) {
      const device = one(member.devices);
      if (device === undefined || member.isBlocked) return;
      member.devices = member.devices.filter(({ id }) => id !== device.id);
      const as = club.as(await session(member));
      note(
        "removeDevice",
        member,
        true,
        (await as.call("DELETE /vpn/configs/{id}", { params: { id: device.id } })).status,
      );
    },
    async useDevice(member) {
      const device = one(member.devices);
      if (device === undefined || device.offSince !== null || !model.isEntitled(member, now(), model.earned(now())))
        return;
      club.host.use(device.key, { rx: 1_000, tx: 1_000 }, now());
      member.seenAt = now();
      model.devices.use(device, now());
      happened.useDevice = (happened.useDevice ?? 0) + 1;
      await parts.reconciler.readAll();
    },
  };
  const setStatus = async (
    member: ModelMember,
    status: "paid" | "overdue" | "not_required",
    months?: 3 | 12,
    act?: string,
  ) => {
    const body = {
      ...(act === undefined ? {} : { act }),
      userId: member.id,
      status,
      period: model.monthOf(now()),
      ...(months === undefined ? {} : { months }),
    };
    return (await admin.call("PUT /admin/payments/status", { body })).status;
  };
  /** By chances of its own: undone, it leaves the rest of the year as it was. */
  const others = randomOf(seed + 1);
  const actAndUndo = async (member: ModelMember) => {
    const { end, isTrial, extras, months } = structuredClone(member);
    const told = [...member.told];
    const asBefore = model.friendsNow();
    const act = String(others.below(1e9)).padStart(32, "0");
    const isPayment = others.below(2) === 0;
    const isAllowed = isPayment ? model.setStatus(member, "paid", now()) : model.extend(member, 5, now());
    const isNew =
      isPayment && member.months.get(model.monthOf(now()))?.status !== months.get(model.monthOf(now()))?.status;
    const done = isPayment
      ? (await setStatus(member, "paid", undefined, act)) === 200
      : (await admin.call("POST /admin/users/bulk", { body: { ids: [member.id], action: "extend", days: 5, act } }))
          .body.changed.length === 1;
    note("act", member, isAllowed, done ? 200 : 409);
    const mayUndo = isAllowed && (isNew || !isPayment);
    const news = member.told.filter((each) => !told.includes(each));
    await tick();
    if (mayUndo) {
      Object.assign(member, { end, isTrial, extras, months });
      asBefore();
      member.told = member.told.filter((each) => !news.includes(each));
    }
    const undone = await admin.call(`POST /admin/${isPayment ? "payments" : "users"}/undo`, { body: { act } });
    note("undo", member, mayUndo, undone.status === 200 ? (undone.body.undone === 1 ? 200 : 409) : undone.status);
  };
  /** Frequent acts are listed often. */
  const often = [
    ...[
      "pay",
      "pay",
      "prepay",
      "claimAndPay",
      "overdue",
      "waive",
      "extend",
      "extend",
      "clear",
      "unlimited",
      "block",
      "block",
      "leave",
    ],
    ...["join", "join", "makeDevice", "makeDevice", "makeDevice", "removeDevice"],
    ...Array<string>(12).fill("useDevice"),
  ];

  /** The panel's timed work (app.ts), in the order of its seconds. */
  const timed = async (name: string) => {
    for (const work of parts.configs.timed) if (work.name === name) await work.run();
  };
  const tick = async () => {
    await parts.configs.cutEnded();
    await timed("devices that end");
    model.devices.watchEnds(now());
    await club.settle();
    await parts.referral.look();
    await club.settle();
    model.noticeLost(now());
  };
  const where = () => `${club.clock.now().toISOString()}, seed ${seed}\n${trace.slice(-25).join("\n")}`;
  const compare = async () => {
    const byFriends = model.earned(now());
    const wanted = everyone().flatMap((member) =>
      model.isEntitled(member, now(), byFriends)
        ? member.devices.flatMap(({ key, offSince }) => (offSince === null ? `${member.username} ${key}` : []))
        : [],
    );
    const owner = new Map(everyone().flatMap(({ username, devices }) => devices.map(({ key }) => [key, username])));
    const there = club.host.peers().map(({ publicKey }) => `${owner.get(publicKey)} ${publicKey}`);
    expect(there.sort(), `on the wire at ${where()}`).toEqual(wanted.sort());

    const listed = new Map<string, string>();
    for (let cursor: string | null = ""; cursor !== null; ) {
      const answer: Awaited<ReturnType<typeof admin.call<"GET /users">>> = await admin.call("GET /users", {
        query: { limit: 500, ...(cursor === "" ? {} : { cursor }) },
      });
      for (const { id, role, entitlement, subscriptionEnd } of answer.body)
        if (role === "user") listed.set(id, `${entitlement.allowed} ${subscriptionEnd && Date.parse(subscriptionEnd)}`);
      cursor = answer.headers.get("x-next-cursor");
    }
    const standing = everyone().map((member) => [
      member.id,
      `${model.isEntitled(member, now(), byFriends)} ${member.end}`,
    ]);
    expect(Object.fromEntries(listed), `standing at ${where()}`).toEqual(Object.fromEntries(standing));

    const period = model.monthOf(now());
    const { body } = await admin.call("GET /admin/payments/summary/{period}", { params: { period } });
    const { paid, overdue } = body.counts;
    const received = Number(body.received.find(({ currency }) => currency === "RUB")?.amount ?? 0);
    expect({ paid, overdue, received }, `payments at ${where()}`).toEqual(model.sums(now()));
    expect(await parts.members.ledger.notAddingUp(club.db), `ledgers at ${where()}`).toEqual([]);
  };
  type Rows = { notices: { member_id: string; about_id: string; kind: string; params: string; created_at: number } };
  const noticesAbout = async (id: string) => {
    const rows = await club.db
      .withTables<Rows>()
      .selectFrom("notices")
      .selectAll()
      .where("about_id", "=", id)
      .execute();
    return rows.map((row) => ({ ...row, what: toldText(row.kind, JSON.parse(row.params), parts.clubTime) }));
  };
  const compareTold = async () => {
    const rows = await club.db.withTables<Rows>().selectFrom("notices").selectAll().execute();
    const told = new Map(everyone().map(({ id }) => [id, [] as string[]]));
    for (const { member_id, kind, params } of rows.filter(({ kind }) => !OF_FRIENDS.kinds.includes(kind)))
      told.get(member_id)?.push(toldText(kind, JSON.parse(params), parts.clubTime));
    for (const member of everyone()) {
      const gone = withdrawn.filter(({ of }) => of === member.id).map(({ what }) => what);
      const wanted = member.told.map(({ what }) => what).filter((what) => !gone.includes(what));
      expect(told.get(member.id)?.sort(), `told to ${member.username} at ${where()}`).toEqual(wanted.sort());
    }
  };
  const sentTo = (id: string) =>
    telegram
      .messagesTo({ id: linked.get(id) ?? 0, first_name: "" })
      .filter(({ text }) => !OF_FRIENDS.titles.some((title) => text.includes(title))).length;
  /** Everything that may be sent by now is sent, and what has to wait is not. */
  const compareSent = async () => {
    await club.transact(async (tx) => parts.signals.send(tx, OUTBOX_WRITTEN));
    const due = new Map<string, number>();
    for (const id of linked.keys()) {
      const told = model.members.get(id)?.told ?? [];
      // Including what was due before the clock went back.
      for (const one of told) if (one.from <= now()) one.from = 0;
      due.set(id, told.filter(({ from }) => from === 0).length);
    }
    const sent = () => new Map([...linked.keys()].map((id) => [id, sentTo(id)]));
    await vi
      .waitFor(() => expect(sent(), `sent at ${where()}`).toEqual(due), { timeout: 60_000, interval: 5 })
      .catch(async (cause: unknown) => {
        const left = await club.db.withTables<{ outbox: object }>().selectFrom("outbox").selectAll().execute();
        throw new Error(`at ${now()} the outbox has ${JSON.stringify(left)}`, { cause });
      });
  };

  for (let n = 0; n < size; n++) {
    const end = n % 5 === 0 ? null : now() + below(60) * DAY_MS + below(24) * HOUR_MS;
    // A few have many friends, or hardly anybody would have enough.
    const inviter = n % 3 === 0 ? null : (one(everyone().slice(0, 1 + size / 8))?.id ?? null);
    const person = await club.member({ username: `first-${n}`, subscriptionEnd: end, row: { friend_of: inviter } });
    const member = model.join({ id: person.id, username: person.username, invitedBy: inviter, end, isTrial: false });
    if (n < wish.linked) {
      const account = { telegramId: String(1_000 + n), name: member.username, language: "ru" as const };
      await club.transact((tx) => parts.members.linkMessenger(tx, member.id, account));
      linked.set(member.id, 1_000 + n);
    }
    await tick();
    await acts.makeDevice?.(member);
    await acts.useDevice?.(member);
  }

  const rare = randomOf(seed + 2);
  const rarerAct = wish.withRarer
    ? await makeRarerActs({ club, model, random: rare, now, admin: () => admin, session, note, keyOf, limit: LIMIT })
    : null;
  if (rarerAct !== null) await admin.call("PUT /admin/settings", { body: { dormantAfterDays: 30 } });

  let looks = 0;
  for (let look = 0; look < days * LOOKS_A_DAY; look++) {
    const jump = below(40);
    // A clock that was corrected: some hours back, or far ahead.
    club.clock.advance(
      jump === 0 ? -2 * HOUR_MS : (DAY_MS / LOOKS_A_DAY) * (jump === 1 ? 2 : 1) + below(HOUR_MS) - HOUR_MS / 2,
    );
    admin = club.as(await session(chief, true));
    await tick();
    if (rarerAct !== null) {
      await timed("devices not seen");
      model.devices.watchUnseen(now(), model.earned(now()));
      await timed("devices long off");
      model.devices.deleteOld(now());
      await club.settle();
    }
    await parts.inbox.remindOfEnds();
    model.remind(now(), model.earned(now()));
    for (let n = 0; n < actsALook; n++) {
      const member = one(everyone());
      if (member !== undefined) await acts[one(often) ?? ""]?.(member);
      await tick();
      const other = others.below(8) === 0 ? others.one(everyone()) : undefined;
      if (other !== undefined) await actAndUndo(other);
      await tick();
      const another = rarerAct !== null && rare.below(3) === 0 ? rare.one(everyone()) : undefined;
      if (another === undefined) continue;
      await rarerAct?.(another);
      await tick();
    }
    await compare();
    await compareSent();
    looks++;
    if (look % LOOKS_A_DAY === 0) {
      await parts.configs.purgePast();
      await compareTold();
    }
  }
  await compareTold();
  const kinds: Record<string, number> = {};
  for (const { told } of everyone())
    for (const { what } of told) {
      const [kind = ""] = what.split(" ");
      kinds[kind] = (kinds[kind] ?? 0) + 1;
    }
  return { looks, happened, told: kinds, sent: [...linked.keys()].reduce((sum, id) => sum + sentTo(id), 0) };
}

/** As the model writes it. */
function toldText(
  kind: string,
  params: Record<string, string> & { names?: readonly string[] },
  clubTime: Pick<ClubTime, "dayOf">,
): string {
  const at = (iso: string | undefined) => Date.parse(iso ?? "");
  switch (kind) {
    case "subscription_ends":
    case "referral_ends":
      return `${kind} ${params.days} ${at(params.endsAt)}`;
    case "subscription_ended":
      return `${kind} ${at(params.endedAt)}`;
    case "referral_ended":
      return `${kind} ${clubTime.dayOf(at(params.endedAt))}`;
    case "devices_end":
    case "devices_unseen":
      return `${kind} ${params.stage} ${at(params.at)} ${params.names?.toSorted().join()}`;
    case "subscription_extended":
      return `${kind} ${at(params.until)}`;
    default:
      return `${kind} ${params.period ?? ""}`;
  }
}
