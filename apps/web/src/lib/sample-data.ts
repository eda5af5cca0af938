import type { Api } from "@krug/contract/api";
import { DAY_MS } from "@krug/domain/moment";
import { everythingBut } from "@krug/wireguard/addresses";
import { readNetworkList } from "@krug/wireguard/network-list";
import { clubNow } from "./club-clock.ts";

/** A call's parameters, query and body. */
export interface SampleWish {
  params?: Readonly<Record<string, string>>;
  query?: Readonly<Record<string, unknown>>;
  body?: unknown;
}

type Member = Api["GET /users"]["answer"][number];
type Service = Api["GET /services"]["answer"][number];
type Dns = Api["GET /dns"]["answer"][number];
type InviteCode = Api["GET /admin/invite-codes"]["answer"][number];
type Payment = Api["GET /admin/payments/history/{period}"]["answer"][number];
type Rule = Api["GET /admin/rules"]["answer"][number];
type Server = Api["GET /admin/servers"]["answer"][number];

const now = clubNow();
const inDays = (days: number) => new Date(now + days * DAY_MS).toISOString();
const idOf = (kind: number, n: number) =>
  `${String(kind).padStart(8, "0")}-0000-4000-8000-${String(n).padStart(12, "0")}`;
const period = new Date(now).toISOString().slice(0, 7);

/** Sample subscriptions last 30 days, sample payments are 10.99 and due in 15 days (specification, operator's side 8). */
const SUBSCRIPTION_DAYS = 30;
const AMOUNT = "10.99";
const DUE_IN_DAYS = 15;
const SERVER_PORT = 3001;

function addressesIn(typed: string, allBut: unknown): string[] {
  const given = readNetworkList(typed).items.map(({ text }) => text);
  return allBut ? everythingBut(given) : given;
}

function member(n: number, username: string, displayName: string, about: Partial<Member> = {}): Member {
  const subscriptionEnd = inDays(SUBSCRIPTION_DAYS);
  return withTwins({
    id: idOf(1, n),
    username,
    displayName,
    role: "user",
    isActive: true,
    isVip: false,
    isUnlimited: false,
    vpnConfigLimit: 3,
    quotaBytes: null,
    quotaAtEnd: "cut",
    quotaSlowMbit: 5,
    speedMbit: null,
    subscriptionEnd,
    isTrial: false,
    graceUntil: null,
    isByReferral: false,
    pendingRole: null,
    entitlement: { allowed: true, reason: "subscription", until: subscriptionEnd },
    hasAcceptedRules: true,
    telegramConnected: false,
    inviteCode: null,
    createdAt: inDays(-90),
    configCount: n % 3,
    lastHandshake: n % 3 === 0 ? null : now - n * 3_600_000,
    monthBytes: (n % 3) * 1_400_000_000,
    noteCount: 0,
    groups: [],
    ...about,
  });
}

type Twin = "display_name" | "is_active" | "is_vip" | "is_unlimited" | "vpn_config_limit" | "subscription_end";

/** The specification's second spellings follow the first. The fields' description is in staff's file, and this is not. */
const withTwins = (row: Omit<Member, Twin | "invite_code" | "created_at">): Member => ({
  ...row,
  display_name: row.displayName,
  is_active: row.isActive ? 1 : 0,
  is_vip: row.isVip ? 1 : 0,
  is_unlimited: row.isUnlimited ? 1 : 0,
  vpn_config_limit: row.vpnConfigLimit,
  subscription_end: row.subscriptionEnd,
  invite_code: row.inviteCode,
  created_at: row.createdAt,
});

const MEMBERS: Member[] = [
  member(1, "sample-admin", "Пример: администратор", { role: "admin", isUnlimited: true, vpnConfigLimit: -1 }),
  member(2, "sample-anna", "Пример: Анна"),
  member(3, "sample-boris", "Пример: Борис"),
  member(4, "sample-vera", "Пример: Вера", { isActive: false }),
];
const look = (group: Service["group"] = "other") => ({ picture: "", description: "", group, exit: "direct" as const });
const SERVICES: Service[] = [
  {
    id: idOf(2, 1),
    name: "Пример: видео",
    ips: ["192.0.2.0/25"],
    deviceTypes: ["all"],
    allBut: false,
    ...look("video"),
  },
  {
    id: idOf(2, 2),
    name: "Пример: почта",
    ips: ["198.51.100.7", "198.51.100.8"],
    deviceTypes: ["computer"],
    allBut: false,
    ...look("work"),
  },
];
const DNS: Dns[] = [{ id: idOf(3, 1), name: "Пример: DNS", ips: ["192.0.2.53"] }];
const inviteCode = (n: number, code: string, about: Partial<InviteCode> = {}): InviteCode => ({
  id: idOf(4, n),
  code,
  createdAt: inDays(-2),
  expiresAt: null,
  maxUses: 1,
  currentUses: 0,
  subscriptionDays: SUBSCRIPTION_DAYS,
  subscriptionEndDate: null,
  interfaces: [],
  template: null,
  isActive: true,
  is_active: 1,
  state: "active",
  createdBy: null,
  ...about,
});
const CODES: InviteCode[] = [
  inviteCode(1, "SAMP1E"),
  inviteCode(2, "EXMP22", { isActive: false, is_active: 0, state: "deactivated" }),
];
const statuses = new Map<string, Payment["status"]>();
const rule = (id: string, about: Partial<Rule>): Rule => ({
  id,
  type: "blacklist",
  target: "",
  appliesTo: "all",
  group: null,
  memberCount: about.appliesTo === undefined || about.appliesTo === "all" ? null : about.appliesTo.length,
  createdAt: inDays(-3),
  domain: null,
  ...about,
});
const RULES: Rule[] = [
  rule(idOf(5, 1), { target: "198.51.100.0/24" }),
  rule(idOf(5, 2), { type: "whitelist", target: "198.51.100.80" }),
];
const server: Server = {
  id: idOf(6, 1),
  name: "Пример: сервер",
  driver: "local",
  host: "sample.example",
  endpoint: "sample.example",
  defaultEndpoint: null,
  credentials: { host: "sample.example", port: SERVER_PORT, username: "root", hasPassword: false },
  fingerprint: null,
  shownFingerprint: null,
  system: null,
  unfit: null,
  needsSetup: false,
  tunnelsIn: null,
  isMain: true,
  is_main: 1,
  isSetupComplete: true,
  is_setup_complete: 1,
  status: "connected",
  error: null,
  why: null,
  problem: null,
  errorSince: null,
  lastSync: inDays(0),
  createdAt: inDays(-90),
  created_at: inDays(-90),
  stats: null,
  interfaceCount: 1,
  configCount: 4,
  peerCount: 4,
  capacity: 253,
  takesNew: true,
  forwarding: null,
  namesUnresolved: null,
  speedsUnlimited: null,
  pathMtu: null,
  opensForwarding: false,
  toDownload: 0,
  leavingCount: 0,
  assignedCount: 0,
  whyNotDeleted: "server.is_local",
};

const payment = (row: Member): Payment => {
  const status = statuses.get(row.id) ?? "pending";
  const paidDate = status === "paid" ? inDays(0) : null;
  const dueDate = inDays(DUE_IN_DAYS).slice(0, 10);
  return {
    id: null,
    userId: row.id,
    user_id: row.id,
    username: row.username,
    displayName: row.displayName,
    isUnlimited: row.isUnlimited,
    free: row.isUnlimited ? "unlimited" : null,
    amount: AMOUNT,
    currency: "RUB",
    status,
    paidDate,
    paid_date: paidDate,
    dueDate,
    due_date: dueDate,
    period,
    note: null,
    paidMonths: 1,
    grantedUntil: null,
    subscriptionEnd: row.subscriptionEnd,
    claimId: null,
  };
};

let [members, services, dns, codes, rules] = [MEMBERS, SERVICES, DNS, CODES, RULES];
/** Undoes the writes to the samples, which tests share. */
export function forgetWrites(): void {
  [members, services, dns, codes, rules] = [MEMBERS, SERVICES, DNS, CODES, RULES];
  statuses.clear();
}

let made = 100;
const newId = () => idOf(9, ++made);
const bodyOf = <Body>({ body }: SampleWish) => (body ?? {}) as Body;
const named = ({ params }: SampleWish) => params?.id ?? params?.code ?? "";
const isNamed = (row: Member, name: string) => row.id === name || row.username === name.toLowerCase();

/** The list with one entry changed, and that entry, or undefined if there is none. */
function changed<Row extends { id: string }>(rows: Row[], id: string, change: Partial<Row>): [Row[], Row | undefined] {
  const next = rows.map((row) => (row.id === id ? { ...row, ...change } : row));
  return [next, next.find((row) => row.id === id)];
}

function foundMembers({ query }: SampleWish): Member[] {
  const text = String(query?.q ?? "").toLowerCase();
  const state = query?.state;
  return members.filter(
    ({ username, displayName, isActive, isVip }) =>
      `${username} ${displayName.toLowerCase()}`.includes(text) &&
      (state !== "active" || isActive) &&
      (state !== "blocked" || !isActive) &&
      (query?.as !== "moderator" || !isVip),
  );
}

function changeMember(wish: SampleWish): Member | undefined {
  const row = members.find((candidate) => isNamed(candidate, named(wish)));
  if (!row) return undefined;
  const {
    expected: _,
    blockConfigs: __,
    ...change
  } = bodyOf<Partial<Member> & { expected?: unknown; blockConfigs?: unknown }>(wish);
  const after = withTwins({ ...row, ...change });
  members = members.map((candidate) => (candidate.id === row.id ? after : candidate));
  return after;
}

const gone = null;

/**
 * Sample answers: reads of members, services, DNS, invite codes, payments, rules and servers; some writes, which change only this
 * page's samples; defaults of two-factor and of wrong codes. Other calls have no sample.
 */
const SAMPLES: Readonly<Record<string, (wish: SampleWish) => unknown>> = {
  "GET /users": foundMembers,
  "GET /admin/users/counts": (wish) => {
    const found = foundMembers({ query: { ...wish.query, state: "all" } });
    const active = found.filter(({ isActive }) => isActive).length;
    return { all: found.length, active, blocked: found.length - active };
  },
  "GET /admin/users/{id}": (wish) => {
    const row = members.find((candidate) => isNamed(candidate, named(wish)));
    if (!row) return undefined;
    return {
      member: row,
      quota: null,
      invitedBy: null,
      joinedBy: "added",
      template: null,
      hasPassword: true,
      twoFactorEnabled: false,
      passkeyCount: 0,
      sessions: [],
      history: [],
    } satisfies Api["GET /admin/users/{id}"]["answer"];
  },
  "PUT /users/{id}": changeMember,
  "DELETE /users/{id}": (wish) => {
    members = members.filter((row) => !isNamed(row, named(wish)));
    return gone;
  },
  "GET /services": () => services,
  "POST /services": (wish) => {
    const {
      name,
      ips = [],
      typed,
      allBut,
      deviceTypes = ["all"],
      ...about
    } = bodyOf<Api["POST /services"]["body"]>(wish);
    const service: Service = {
      ...look(about.group),
      id: newId(),
      name,
      ips: typed === undefined ? ips : addressesIn(typed, allBut),
      deviceTypes,
      allBut: Boolean(allBut),
      exit: "direct",
    };
    services = [...services, service];
    return service;
  },
  "PUT /services/{id}": (wish) => {
    const { typed, allBut, ...change } = bodyOf<Partial<Service> & { typed?: string; allBut?: boolean }>(wish);
    const read = typed === undefined ? {} : { ips: addressesIn(typed, allBut), allBut: Boolean(allBut) };
    const [next, service] = changed(services, named(wish), { ...change, ...read });
    services = next;
    return service;
  },
  "GET /services/{id}/typed": (wish) => {
    const service = services.find(({ id }) => id === named(wish));
    return { text: service?.ips.join(", ") ?? "", allBut: false, sources: [], mark: "" };
  },
  "DELETE /services/{id}": (wish) => {
    services = services.filter(({ id }) => id !== named(wish));
    return gone;
  },
  "GET /dns": () => dns,
  "POST /dns": (wish) => {
    const entry: Dns = { ...bodyOf<Omit<Dns, "id">>(wish), id: newId() };
    dns = [...dns, entry];
    return entry;
  },
  "PUT /dns/{id}": (wish) => {
    const [next, entry] = changed(dns, named(wish), bodyOf<Partial<Dns>>(wish));
    dns = next;
    return entry;
  },
  "DELETE /dns/{id}": (wish) => {
    dns = dns.filter(({ id }) => id !== named(wish));
    return gone;
  },
  "GET /admin/templates": () => [],
  "GET /admin/groups": () => [],
  "GET /admin/invite-codes": () => codes,
  "POST /admin/invite-codes": (wish) => {
    const { maxUses, subscriptionDays } = bodyOf<Partial<InviteCode>>(wish);
    const code = inviteCode(0, sampleCode(), {
      id: newId(),
      ...(maxUses === undefined ? {} : { maxUses }),
      ...(subscriptionDays === undefined ? {} : { subscriptionDays }),
    });
    codes = [code, ...codes];
    return code;
  },
  "PUT /admin/invite-codes/{id}/deactivate": (wish) => {
    const id = codes.find((row) => [row.id, row.code].includes(named(wish)))?.id ?? "";
    const [next, code] = changed(codes, id, { isActive: false, is_active: 0, state: "deactivated" });
    codes = next;
    return code;
  },
  "GET /admin/payments/history/{period}": () => members.map(payment),
  "PUT /admin/payments/status": (wish) => {
    const { userId, status } = bodyOf<{ userId: string; status: Payment["status"] }>(wish);
    const row = members.find(({ id }) => id === userId);
    if (!row) return undefined;
    statuses.set(row.id, status);
    return payment(row);
  },
  "GET /admin/rules": ({ query }) =>
    rules.filter(
      ({ type, target }) =>
        (query?.type === undefined || type === query.type) && target.includes(String(query?.q ?? "").toLowerCase()),
    ),
  "POST /admin/rules": (wish) => {
    const added = rule(newId(), { ...bodyOf<Partial<Rule>>(wish), createdAt: new Date(clubNow()).toISOString() });
    rules = [added, ...rules];
    return added;
  },
  "DELETE /admin/rules/{id}": (wish) => {
    rules = rules.filter(({ id }) => id !== named(wish));
    return gone;
  },
  "GET /admin/servers": () => [server],
  "GET /totp/{id}/status": () =>
    ({
      enabled: false,
      secret: null,
      uri: null,
      elevated: false,
      retryAfter: 0,
      recoveryCodesLeft: 0,
      byPasskey: false,
    }) satisfies Api["GET /totp/{id}/status"]["answer"],
  "POST /totp/{id}/verify": () => ({ valid: false, retryAfter: 0, token: null }),
  "GET /auth/invite-attempts": () => ({ count: 0, bannedUntil: null }),
};

/** Six upper-case letters and digits (specification, operator's side 8). */
function sampleCode(): string {
  const signs = "ABCDEFGHJKMNPQRSTUVWXYZ23456789";
  return Array.from({ length: 6 }, () => signs[Math.floor(Math.random() * signs.length)]).join("");
}

/** Undefined if there is no sample; null for an answer without a body. */
export const sampleAnswer = (key: string, wish: SampleWish): unknown => SAMPLES[key]?.(wish);
