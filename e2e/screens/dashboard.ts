import type { Api } from "@krug/contract/api";
import { bot, fail, intercept, read, refuse, say, silence } from "./answers.ts";
import { type Config, dashboard, devices, HIDDEN, moved } from "./open-dashboard.ts";
import { PATIENCE, type Screen, type Stage } from "./stage.ts";

type Me = Api["GET /auth/me"]["answer"];

const GB = 1024 ** 3;

/** A member with 50 GB a month, of which this much is used. */
async function withQuota(stage: Stage, gigabytes: number) {
  const { page, text } = stage;
  const me = await read(page, "GET /auth/me");
  const resetsAt = "2099-12-01T00:00:00.000+03:00";
  const isCut = gigabytes >= 50;
  const entitlement: Me["entitlement"] = isCut ? { allowed: false, reason: "quota", until: resetsAt } : me.entitlement;
  await say(page, "GET /auth/me", { ...me, quotaBytes: 50 * GB, entitlement });
  await say(page, "GET /vpn/quota", { bytes: 50 * GB, used: gigabytes * GB, atEnd: "cut", slowMbit: null, resetsAt });
  if (isCut) {
    const list = await read(page, "GET /vpn/configs");
    await say(
      page,
      "GET /vpn/configs",
      list.map((config): Config => ({ ...config, state: "off" })),
    );
  }
  await devices(stage);
  await page.getByRole("progressbar", { name: text.quota.label }).waitFor(PATIENCE);
}

/** A member's dashboard and what it says of the club, from the charter on. */
export const dashboardScreens: Screen[] = [
  {
    name: "charter",
    who: "timur",
    async open({ page, text }) {
      await page.goto("/dashboard");
      await page.getByText(text.charter.thanks).waitFor(PATIENCE);
    },
  },
  {
    name: "charter-read",
    isVariant: true,
    who: "timur",
    async open({ page, text }) {
      await page.goto("/dashboard");
      await page.getByText(text.charter.thanks).waitFor(PATIENCE);
      await page.getByRole("button", { name: text.charter.sections.at(-1)?.title ?? "" }).click(PATIENCE);
      await page.getByRole("button", { name: text.charter.accept }).waitFor(PATIENCE);
    },
  },
  {
    name: "dashboard-empty",
    who: "anton",
    async open(stage) {
      await dashboard(stage);
      await stage.page.getByText(stage.text.dashboard.emptyTitle).waitFor(PATIENCE);
    },
  },
  { name: "dashboard", who: "marina", open: devices },
  {
    name: "dashboard-loading",
    who: "marina",
    async open(stage) {
      await intercept(stage.page, "GET /vpn/configs", "never");
      await dashboard(stage);
    },
  },
  {
    name: "dashboard-states",
    who: "marina",
    async open(stage) {
      const { page } = stage;
      const [first] = (await read(page, "GET /vpn/configs")) as [Config];
      const one = (n: number, about: Partial<Config>): Config => ({
        ...first,
        id: `00000000-0000-4000-8000-00000000000${n}`,
        stats: { lastHandshake: null, dataReceived: 0, dataSent: 0 },
        ...about,
      });
      await say(page, "GET /vpn/configs", [
        one(7, {
          name: "not-seen",
          state: "off",
          dormant: { since: first.createdAt, keptUntil: new Date(Date.now() + 90 * 86_400_000).toISOString() },
        }),
        one(8, {
          name: "guest",
          state: "off",
          dormant: { since: first.createdAt, keptUntil: new Date(Date.now() + 90 * 86_400_000).toISOString() },
          ends: { at: "2026-12-05T23:59:59.000+03:00", isOver: true, byStaff: false },
        }),
        one(1, { name: "waiting", state: "pending", pendingSince: new Date(Date.now() - 3_600_000).toISOString() }),
        one(9, { name: "away", serverAwaySince: new Date(Date.now() - 3_600_000).toISOString() }),
        one(2, { name: "blocked", state: "off", isBlocked: true }),
        one(3, { name: "interface-off", state: "off" }),
        one(4, { name: "changed", needsDownload: true, overPhoneLimit: true, stats: first.stats }),
        one(5, { name: "own-key", keyOrigin: "browser", deviceType: "computer", stats: first.stats }),
        one(6, {
          dormantFrom: "2026-12-12",
          ends: { at: "2026-12-05T23:59:59.000+03:00", isOver: false, byStaff: false },
          name: "a-name-of-15-chs",
          createdAt: "whenever",
        }),
      ]);
      await devices(stage);
      await page
        .getByRole("article", { name: "guest" })
        .getByRole("button", { name: "guest" })
        .nth(7)
        .waitFor(PATIENCE);
    },
  },
  {
    name: "dashboard-moving",
    isComposed: true,
    who: "marina",
    async open(stage) {
      const { page } = stage;
      const [first] = (await read(page, "GET /vpn/configs")) as [Config];
      await say(page, "GET /vpn/configs", [{ ...first, needsDownload: true, ...moved(first) }]);
      await devices(stage);
    },
  },
  { name: "dashboard-expired", isComposed: true, who: "oleg", open: dashboard },
  {
    name: "dashboard-promoted",
    who: "marina",
    async open(stage) {
      const me = await read(stage.page, "GET /auth/me");
      await say(stage.page, "GET /auth/me", { ...me, pendingRole: "moderator" });
      await devices(stage);
      await stage.page.getByText(stage.text.settings.promoted.moderator).waitFor(PATIENCE);
    },
  },
  {
    name: "dashboard-limit",
    isComposed: true,
    who: "vera",
    async open(stage) {
      await devices(stage);
      await stage.page.getByText(stage.text.dashboard.limitReached).waitFor(PATIENCE);
    },
  },
  { name: "dashboard-quota", isVariant: true, who: "marina", open: (stage) => withQuota(stage, 12.4) },
  { name: "dashboard-quota-used-up", who: "marina", open: (stage) => withQuota(stage, 50.3) },
  {
    name: "dashboard-no-interfaces",
    isComposed: true,
    who: "anton",
    async open(stage) {
      await say(stage.page, "GET /vpn/available-interfaces", []);
      await dashboard(stage);
      await stage.page.getByText(stage.text.dashboard.noInterfaces).waitFor(PATIENCE);
    },
  },
  {
    name: "dashboard-bind",
    isComposed: true,
    who: "marina",
    async open(stage) {
      await bot(stage.page);
      await devices(stage);
      await stage.page.getByText(stage.text.dashboard.bindTelegram).waitFor(PATIENCE);
    },
  },
  {
    name: "dashboard-empty-bind",
    isVariant: true,
    who: "anton",
    async open(stage) {
      await bot(stage.page);
      await dashboard(stage);
      await stage.page.getByText(stage.text.dashboard.emptyBind).waitFor(PATIENCE);
    },
  },
  {
    name: "dashboard-unlimited",
    isVariant: true,
    who: "marina",
    async open(stage) {
      const { page, text } = stage;
      const me = await read(page, "GET /auth/me");
      const entitlement = { allowed: true, reason: "unlimited", until: null } as const;
      await say(page, "GET /auth/me", { ...me, isUnlimited: true, is_unlimited: 1, vpnConfigLimit: -1, entitlement });
      await devices(stage);
      await page.getByText(text.dashboard.unlimited).waitFor(PATIENCE);
    },
  },
  {
    name: "dashboard-broken",
    isComposed: true,
    who: "marina",
    async open(stage) {
      await fail(stage.page, "GET /vpn/configs");
      await dashboard(stage);
      await stage.page.getByText(stage.text.dashboard.loadFailed).waitFor(PATIENCE);
    },
  },
  {
    name: "dashboard-silent",
    who: "marina",
    async open(stage) {
      const { page, text } = stage;
      const asked = page.waitForResponse((response) => response.url().endsWith("/security/ways"), PATIENCE);
      await say(page, "GET /security/ways", { mirrorUrl: "https://mirror.example", supportContact: "@krug_help" });
      await devices(stage);
      await asked;
      await silence(page);
      const refresh = text.dashboard.refresh("").slice(0, 8);
      // The page may notice by itself first.
      await page
        .getByRole("button", { name: refresh })
        .click({ timeout: 5_000 })
        .catch(() => undefined);
      await page.getByText(text.dashboard.loadFailed).waitFor(PATIENCE);
      await page.getByRole("link", { name: "mirror.example" }).waitFor(PATIENCE);
    },
  },
  {
    name: "maintenance",
    who: "marina",
    async open(stage) {
      const { page, text } = stage;
      await refuse(stage, "GET /vpn/configs", "maintenance.on");
      await say(page, "GET /maintenance", { enabled: true, since: new Date().toISOString() });
      await page.goto("/dashboard");
      await page.getByRole("heading", { name: text.maintenance.title }).waitFor(PATIENCE);
    },
  },
  {
    name: "guide",
    isComposed: true,
    who: "marina",
    async open(stage) {
      await devices(stage);
      await stage.page.getByRole("button", { name: "Android" }).click(PATIENCE);
      await stage.page.getByText(stage.text.guide.android[0] ?? "").waitFor(PATIENCE);
      await stage.page.getByRole("button", { name: "Android" }).scrollIntoViewIfNeeded();
    },
  },
  {
    name: "dashboard-amneziawg",
    who: "marina",
    async open(stage) {
      const { page, text } = stage;
      const list = await read(page, "GET /vpn/configs");
      await say(
        page,
        "GET /vpn/configs",
        list.map((config, place) => (place === 0 ? { ...config, tunnel: HIDDEN } : config)),
      );
      await devices(stage);
      await page.getByText(text.card.needsApp("AmneziaWG")).waitFor(PATIENCE);
      const android = page.getByRole("region", { name: `${text.guide.title}: AmneziaWG` }).getByRole("button", {
        name: "Android",
      });
      await android.click(PATIENCE);
      await page.getByText(text.amnezia.need).scrollIntoViewIfNeeded(PATIENCE);
    },
  },
  { name: "dashboard-staff", who: "moderator", open: dashboard },
];
