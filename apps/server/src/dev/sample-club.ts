import type { App } from "../app.ts";
import { type MemberRow, newMemberRow } from "../features/members/index.ts";

const DAY_MS = 86_400_000;

/** Only for the sample club of `npm run dev`, which listens on loopback and never holds real data. */
export const SAMPLE_PASSWORD = "sample-club-2026";

type Sample = { username: string; about: string; row: (now: number) => Partial<MemberRow> };

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
    row: (now) => ({
      subscription_end: now + 21 * DAY_MS,
      subscription_source: "payment",
      config_limit: 5,
      display_name: "Марина",
    }),
  },
  {
    username: "timur",
    about: "on his trial, no device yet",
    row: (now) => ({
      subscription_end: now + 2 * DAY_MS,
      subscription_source: "trial",
      display_name: "Тимур",
      accepted_rules_at: null,
    }),
  },
  {
    username: "oleg",
    about: "his subscription has expired",
    row: (now) => ({ subscription_end: now - 3 * DAY_MS, subscription_source: "payment", display_name: "Олег" }),
  },
];

const services = [
  { name: "YouTube", ips: ["142.250.0.0/15", "172.217.0.0/16", "208.117.224.0/19"] },
  { name: "Instagram", ips: ["31.13.24.0/21", "157.240.0.0/16", "179.60.192.0/22"] },
];

const devices = [
  { name: "iphone-marina", deviceType: "phone" },
  { name: "ipad-kids", deviceType: "phone" },
  { name: "work-laptop", deviceType: "computer" },
];

/** Fills an empty club with accounts and devices to look at, by the API; a club that has members stays as it is. */
export async function seedSampleClub(app: App): Promise<void> {
  const { db, transact, clock, members, auth, catalog } = app.parts;
  if (!(await members.isEmpty(db))) return;
  const now = clock.now().getTime();
  const password_hash = await auth.hashPassword(SAMPLE_PASSWORD);
  const rows = sampleAccounts.map(({ username, row }) =>
    newMemberRow({ username, password_hash, accepted_rules_at: now, created_at: now - 49 * DAY_MS, ...row(now) }),
  );
  await transact(async (tx) => {
    for (const row of rows) await members.insert(tx, row);
  });
  const as = async (username: string) => {
    const row = rows.find((candidate) => candidate.username === username);
    if (row === undefined) throw new Error(`the sample club has no ${username}`);
    const { token } = await transact((tx) => auth.openSession(tx, row, null));
    const actor = await auth.authenticate(token, true);
    if (actor !== null && row.role !== "user") await transact((tx) => auth.elevate(tx, actor.sessionId));
    return async (url: string, payload: object) => {
      const answer = await app.server.inject({
        method: "POST",
        url,
        payload,
        headers: { authorization: `Bearer ${token}` },
      });
      if (answer.statusCode >= 300) throw new Error(`${url} answered ${answer.statusCode}: ${answer.body}`);
    };
  };
  const postAsAdmin = await as("admin");
  for (const service of services) await postAsAdmin("/api/services", service);
  const [everything] = await catalog.services(db);
  const [resolver] = await catalog.dns(db);
  if (everything === undefined || resolver === undefined) return;
  const postAsMarina = await as("marina");
  for (const device of devices)
    await postAsMarina("/api/vpn/configs", { ...device, services: [everything.id], dns: resolver.id });
}
