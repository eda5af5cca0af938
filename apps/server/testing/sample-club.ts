import { periodOf } from "@krug/domain/payment-rules";
import type { App } from "../src/app.ts";
import { type MemberRow, newMemberRow } from "../src/features/members/members/index.ts";
import { fillStatistics } from "./fill-statistics.ts";
import { workAsStaff } from "./sample-audit.ts";
import { crowd } from "./sample-crowd.ts";
import { fillSampleInbox } from "./sample-inbox.ts";
import { seedInvites } from "./sample-invites.ts";
import { seedPayments } from "./sample-payments.ts";
import { addSampleRules } from "./sample-rules.ts";
import { nameSampleServer, sampleServerHistory, sampleServers } from "./sample-servers.ts";
import { talkToSupport } from "./sample-support.ts";
import { giveHistory } from "./sample-use.ts";

const DAY_MS = 86_400_000;

/** Only for the sample club of `npm run dev`, which listens on loopback and never holds real data. */
export const SAMPLE_PASSWORD = "sample-club-2026";

type Sample = {
  username: string;
  about: string;
  /** Who invited this member with a personal code. */
  friendOf?: string;
  row: (now: number) => Partial<MemberRow>;
};

export const sampleAccounts: Sample[] = [
  {
    username: "admin",
    about: "admin, without limits",
    row: () => ({ role: "admin", is_unlimited: 1, config_limit: -1, display_name: "Администратор" }),
  },
  {
    username: "moderator",
    about: "moderator",
    row: (now) => ({
      role: "moderator",
      subscription_end: now + 200 * DAY_MS,
      subscription_source: "staff",
      display_name: "Модератор",
    }),
  },
  {
    username: "marina",
    about: "member with a subscription and room for five devices",
    // The payment below extends it by a month from now.
    row: (now) => ({
      subscription_end: now - 2 * DAY_MS,
      subscription_source: "payment",
      config_limit: 5,
      display_name: "Марина",
    }),
  },
  {
    username: "timur",
    about: "on the trial, no device yet; claims to have paid",
    row: (now) => ({
      subscription_end: now + 2 * DAY_MS,
      subscription_source: "trial",
      display_name: "Тимур",
      accepted_rules_at: null,
    }),
  },
  {
    username: "oleg",
    about: "subscription expired",
    row: (now) => ({ subscription_end: now - 3 * DAY_MS, subscription_source: "payment", display_name: "Олег" }),
  },
  {
    username: "vera",
    about: "invited by marina, with a subscription of her own and a phone in use; her one device is all she may have",
    friendOf: "marina",
    row: (now) => ({
      subscription_end: now + 12 * DAY_MS,
      subscription_source: "payment",
      config_limit: 1,
      display_name: "Вера",
    }),
  },
  {
    username: "anton",
    about: "invited by marina, on the trial",
    friendOf: "marina",
    row: (now) => ({ subscription_end: now + DAY_MS, subscription_source: "trial", display_name: "Антон" }),
  },
];

const services = [
  {
    name: "YouTube",
    ips: ["142.250.0.0/15", "172.217.0.0/16", "208.117.224.0/19"],
    ...{ picture: "▶️", description: "Ролики, трансляции и музыка", group: "video" },
  },
  {
    name: "Instagram",
    ips: ["31.13.24.0/21", "157.240.0.0/16", "179.60.192.0/22"],
    ...{ picture: "📷", description: "Лента, истории и сообщения", group: "social" },
  },
  // Together more than a phone accepts.
  { name: "Кино и музыка", ips: Array.from({ length: 93 }, (_, index) => `203.0.113.${index}`), group: "video" },
  { name: "Игры", ips: Array.from({ length: 48 }, (_, index) => `198.51.100.${index}`), group: "games" },
];

/** `usedDays`: on how many of the last days it was in use; `megabytes`: roughly per day. */
const devices = [
  { owner: "marina", name: "iphone-marina", deviceType: "phone", usedDays: 30, megabytes: 620 },
  { owner: "marina", name: "ipad-kids", deviceType: "phone", usedDays: 0, megabytes: 0 },
  { owner: "marina", name: "work-laptop", deviceType: "computer", usedDays: 9, megabytes: 760 },
  { owner: "vera", name: "pixel-vera", deviceType: "phone", usedDays: 12, megabytes: 340 },
];

/** Marina's other sessions, besides the current browser. */
const browsers = [
  "Mozilla/5.0 (iPhone; CPU iPhone OS 26_1 like Mac OS X) AppleWebKit/605.1.15 Version/26.1 Mobile/15E148 Safari/604.1",
  "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/143.0.0.0 Safari/537.36",
];

const paying = {
  price: "300",
  currency: "RUB",
  details: "Перевод по номеру телефона: +7 912 345-67-89, Иван К.\nКарта: 2200 1234 5678 9012\nКомментарий не нужен.",
};

/**
 * Fills an empty club with accounts and devices through the API; does nothing in a club with members. `endpoint`: the server's
 * public name; null if it keeps its own, at which it is reachable.
 */
const groups = { Коллеги: ["nina", "anton", "oleg"], Семья: ["marina", "nina"] };

export async function seedSampleClub(app: App, endpoint: string | null = "hel.krug.example"): Promise<void> {
  const { db, transact, clock, clubTime, members, auth, catalog, settings, publicUrl } = app.parts;
  if (!(await members.isEmpty(db))) return;
  const now = clock.now().getTime();
  const password_hash = await auth.hashPassword(SAMPLE_PASSWORD);
  const others = crowd(now);
  const rows = [...sampleAccounts.map(({ username, row }) => ({ username, row: row(now) })), ...others].map(
    ({ username, row }) =>
      newMemberRow({ username, password_hash, accepted_rules_at: now, created_at: now - 49 * DAY_MS, ...row }),
  );
  for (const [index, { friendOf }] of sampleAccounts.entries()) {
    const inviter = rows.find(({ username }) => username === friendOf);
    if (inviter) Object.assign(rows[index] as MemberRow, { friend_of: inviter.id, invited_by: inviter.id });
  }
  await transact(async (tx) => {
    // With a bot, a second device needs a linked account, and nobody here has one.
    await settings.write(tx, { supportContact: "@krug_help", telegramRequired: false });
    for (const row of rows) await members.insert(tx, row);
  });
  const signedIn = new Map<string, ReturnType<typeof signIn>>();
  /** All of a person's calls use one session. */
  const as = (username: string) => {
    const known = signedIn.get(username) ?? signIn(username);
    signedIn.set(username, known);
    return known;
  };
  const signIn = async (username: string) => {
    const row = rows.find((candidate) => candidate.username === username);
    if (row === undefined) throw new Error(`the sample club has no ${username}`);
    const [browser = null] = browsers;
    const opened = await transact((tx) => auth.openSession(tx, row, browser));
    const actor = await auth.authenticate(opened.token, true);
    const { token } = actor === null ? opened : await transact((tx) => auth.renewToken(tx, actor, true));
    return async (url: string, payload: object, method: "POST" | "PUT" = "POST"): Promise<{ id: string }> => {
      const answer = await app.server.inject({
        method,
        url,
        payload,
        headers: { authorization: `Bearer ${token}` },
        // Under an https PUBLIC_URL it answers at no other host.
        ...(publicUrl && { authority: publicUrl.host }),
      });
      if (answer.statusCode >= 300) throw new Error(`${url} answered ${answer.statusCode}: ${answer.body}`);
      return (answer.body === "" ? {} : answer.json()) as { id: string };
    };
  };
  const sendAsAdmin = await as("admin");
  await nameSampleServer(app, sendAsAdmin, endpoint);
  for (const service of services) await sendAsAdmin("/api/services", service);
  await sendAsAdmin("/api/admin/payments/settings", paying, "PUT");
  const marina = rows.find(({ username }) => username === "marina");
  const paid = { userId: marina?.id, status: "paid", period: periodOf(now, clubTime) };
  await sendAsAdmin("/api/admin/payments/status", paid, "PUT");
  const postAsTimur = await as("timur");
  await postAsTimur("/api/payments/claim", {});
  const [everything] = await catalog.services(db);
  const [resolver] = await catalog.dns(db);
  if (everything === undefined || resolver === undefined) return;
  const [postAsMarina, postAsVera] = [await as("marina"), await as("vera")];
  for (const { owner, name, deviceType, ...use } of devices) {
    const post = owner === "vera" ? postAsVera : postAsMarina;
    const wish = { name, deviceType, services: [everything.id], dns: resolver.id };
    await giveHistory(app, (await post("/api/vpn/configs", wish)).id, use);
  }
  for (const { username, use, isBlockedLater } of others) {
    if (use !== undefined) {
      const post = await as(username);
      const wish = { name: username, deviceType: "phone", services: [everything.id], dns: resolver.id };
      await giveHistory(app, (await post("/api/vpn/configs", wish)).id, use);
    }
    if (isBlockedLater) await sendAsAdmin(`/api/users/${username}`, { isActive: false, blockConfigs: true }, "PUT");
  }
  await addSampleRules(sendAsAdmin, (name) => rows.find(({ username }) => username === name)?.id);
  await seedPayments(app, as);
  await seedInvites(app, sendAsAdmin);
  for (const [name, usernames] of Object.entries(groups)) {
    const { id: groupId } = await sendAsAdmin("/api/admin/groups", { name });
    const ids = rows.filter(({ username }) => usernames.includes(username)).map(({ id }) => id);
    await sendAsAdmin("/api/admin/users/bulk", { ids, action: "join", groupId });
  }
  await workAsStaff(app, sendAsAdmin);
  await sampleServers(app, sendAsAdmin);
  await sampleServerHistory(app);
  await transact(fillStatistics);
  await app.parts.memberUsage.countDays();
  if (marina !== undefined)
    for (const browser of browsers.slice(1)) await transact((tx) => auth.openSession(tx, marina, browser));
  await fillSampleInbox(sendAsAdmin);
  await talkToSupport(app, as);
  await transact((tx) => settings.write(tx, { telegramRequired: true }));
}
