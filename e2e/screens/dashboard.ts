import type { Api } from "@krug/contract/api";
import { bot, fail, intercept, read, refuse, say, silence } from "./answers.ts";
import { inHand } from "./in-hand.ts";
import { create, dashboard, devices, edit, knownServices } from "./open-dashboard.ts";
import { PATIENCE, type Screen, type Stage } from "./stage.ts";

/** A creation that answers with a device of the sample club, so its text and readings are real. */
async function created(stage: Stage, device: "phone" | "computer", then?: (config: Config) => Promise<void>) {
  const { page, text } = stage;
  await create(stage);
  const list = await read(page, "GET /vpn/configs");
  const made = list.find(({ deviceType }) => deviceType === device);
  if (!made) throw new Error(`the sample club has no ${device}`);
  const fresh: Config = { ...made, stats: { lastHandshake: null, dataReceived: 0, dataSent: 0 } };
  await say(page, "POST /vpn/configs", { ...fresh, template: null });
  await say(page, "GET /vpn/configs/{id}/stats", { ...fresh.stats, speed: null });
  await then?.(fresh);
  await page.getByLabel(text.create.name, { exact: true }).fill(fresh.name);
  await page.getByText(device === "phone" ? text.create.phone : text.create.computer, { exact: true }).click();
  await page.getByRole("checkbox").first().check();
  await page.getByRole("dialog").getByRole("button", { name: text.create.submit }).click();
  await page.getByRole("dialog", { name: fresh.name }).waitFor(PATIENCE);
}

type Config = Api["GET /vpn/configs"]["answer"][number];
const ANOTHER = "00000000-0000-4000-8000-000000000098";

type Diagnosis = Api["GET /vpn/configs/{id}/diagnosis"]["answer"];

/** 'Не работает?' for a device of the sample club; `about`: what the club sees differently. */
async function diagnosis(stage: Stage, device: string, about: Partial<Diagnosis> = {}) {
  const { page, text } = stage;
  const list = await read(page, "GET /vpn/configs");
  const config = list.find(({ name }) => name === device);
  const seen = await read(page, "GET /vpn/configs/{id}/diagnosis", { params: { id: config?.id ?? "" } });
  await say(page, "GET /vpn/configs/{id}/diagnosis", { ...seen, ...about });
  await devices(stage);
  await page.getByRole("button", { name: text.card.notWorkingOf(device) }).click(PATIENCE);
  const sheet = page.getByRole("dialog", { name: text.diagnosis.title(device) });
  await sheet.getByText(text.diagnosis.whatWeSee).waitFor(PATIENCE);
  return sheet;
}

/** The club has one more server. */
async function anotherServer({ page }: Stage) {
  const offered = await read(page, "GET /vpn/available-interfaces");
  const [first] = offered;
  if (!first) throw new Error("the sample club has no server");
  const riga = {
    ...first,
    id: ANOTHER,
    name: "Interface 2",
    serverName: "Рига",
    serverCountry: "LV",
    isPreferred: false,
  };
  await say(page, "GET /vpn/available-interfaces", [...offered, riga]);
}

const HIDDEN = { type: "amneziawg", version: "3.1" } as const;

/** The club has an interface that networks do not recognise. */
async function anotherKind({ page }: Stage) {
  const [first] = await read(page, "GET /vpn/available-interfaces");
  if (!first) throw new Error("the sample club has no server");
  const hidden = { ...first, id: ANOTHER, name: "Скрытый", tunnel: HIDDEN, isPreferred: false };
  await say(page, "GET /vpn/available-interfaces", [first, hidden]);
}

/** A device that moved from the first server to the other one. */
const moved = ({ serverName }: Pick<Config, "serverName">): Partial<Config> => ({
  interfaceId: ANOTHER,
  serverName: "Рига",
  moving: {
    until: new Date(Date.now() + 23 * 3_600_000).toISOString(),
    interfaceId: "00000000-0000-4000-8000-000000000099",
    interfaceName: "Interface 1",
    serverName,
  },
});

/** The dialog after an edit that changes the file. */
async function edited(stage: Stage, device: string, about: Partial<Config> & { template?: string | null }) {
  const { page, text } = stage;
  const list = await read(page, "GET /vpn/configs");
  const config = list.find(({ name }) => name === device);
  if (!config) throw new Error(`the sample club has no ${device}`);
  const sheet = await edit(stage, device);
  await say(page, "PUT /vpn/configs/{id}", { ...config, needsDownload: true, template: null, ...about });
  await sheet.getByLabel("DNS").selectOption({ index: 1 });
  await sheet.getByRole("button", { name: text.editDevice.save }).click();
  await page.getByRole("dialog", { name: text.editDevice.fileTitle }).waitFor(PATIENCE);
}

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

/** A member's devices, from the charter to 'Не работает?'. */
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
    name: "diagnosis-quota",
    isVariant: true,
    who: "marina",
    open: async (stage) => void (await diagnosis(stage, "iphone-marina", { cause: "quota", applied: false })),
  },
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
    name: "create-first",
    who: "anton",
    async open(stage) {
      const { page, text } = stage;
      await dashboard(stage);
      await page.getByRole("button", { name: text.dashboard.create }).filter({ visible: true }).first().click(PATIENCE);
      await page.getByRole("button", { name: text.newDevice.open }).waitFor(PATIENCE);
    },
  },
  { name: "create", isComposed: true, who: "marina", open: create },
  {
    name: "create-begun",
    who: "marina",
    async open(stage) {
      const { page, text } = stage;
      await create(stage);
      await page.getByLabel(text.create.name, { exact: true }).fill("tablet");
      await page.keyboard.press("Escape");
      await page.getByRole("button", { name: text.dashboard.create }).filter({ visible: true }).first().click(PATIENCE);
      await page.getByRole("button", { name: text.newDevice.goOn }).waitFor(PATIENCE);
    },
  },
  {
    name: "create-incomplete",
    isComposed: true,
    who: "marina",
    async open(stage) {
      const { page, text } = stage;
      await create(stage);
      await page.getByLabel(text.create.name, { exact: true }).fill("мой телефон");
      await page.getByText(text.create.nameWrong).waitFor(PATIENCE);
    },
  },
  {
    name: "create-services",
    who: "marina",
    async open(stage) {
      const { page, text } = stage;
      await say(page, "GET /services", knownServices(stage));
      await create(stage);
      await page.getByRole("button", { name: text.services.ask }).click(PATIENCE);
      await page.getByLabel(text.services.name).waitFor(PATIENCE);
      await page.getByRole("searchbox", { name: text.services.search }).scrollIntoViewIfNeeded(PATIENCE);
    },
  },
  {
    name: "create-phone-limit",
    who: "marina",
    async open(stage) {
      const { page, text } = stage;
      await create(stage);
      await page.getByText(text.create.phone, { exact: true }).click();
      await page.getByRole("checkbox", { name: /Кино и музыка/ }).check();
      await page.getByText(text.create.phoneLimit).waitFor(PATIENCE);
    },
  },
  {
    name: "create-refused",
    isVariant: true,
    who: "marina",
    async open(stage) {
      const { page, text } = stage;
      await create(stage);
      await refuse(stage, "POST /vpn/configs", "config.limit_reached");
      await page.getByLabel(text.create.name, { exact: true }).fill("tablet");
      await page.getByRole("checkbox").first().check();
      await page.getByRole("dialog").getByRole("button", { name: text.create.submit }).click();
      await page.getByRole("dialog").getByRole("alert").waitFor(PATIENCE);
    },
  },
  { name: "edit", who: "marina", open: async (stage) => void (await edit(stage, "iphone-marina")) },
  {
    name: "edit-server",
    isComposed: true,
    who: "marina",
    async open(stage) {
      await anotherServer(stage);
      const sheet = await edit(stage, "iphone-marina");
      await sheet.getByLabel(stage.text.create.server, { exact: true }).selectOption(ANOTHER);
      await sheet.getByText(stage.text.editDevice.moves).scrollIntoViewIfNeeded(PATIENCE);
    },
  },
  {
    name: "edited",
    isVariant: true,
    who: "marina",
    open: (stage) => edited(stage, "iphone-marina", {}),
  },
  {
    name: "edited-moved",
    who: "marina",
    open: (stage) => edited(stage, "iphone-marina", moved({ serverName: "Хельсинки" })),
  },
  {
    name: "edited-moved-own-key",
    isVariant: true,
    who: "marina",
    open: (stage) =>
      edited(stage, "iphone-marina", {
        ...moved({ serverName: "Хельсинки" }),
        keyOrigin: "browser",
        template: `[Interface]
Address = 10.8.1.2/32
DNS = 9.9.9.9

[Peer]
PublicKey = Vr1gSvJxN0cO6xGQKdtNQ0PzHk2iK5BDJkYrHc2vXF4=
PresharedKey = n0m1Zt8w3mQK5rPBzWj3nT5jYrVJ0JpR2Xc0eEw1b2A=
AllowedIPs = 0.0.0.0/0, ::/0
Endpoint = riga.example:51820
`,
      }),
  },
  {
    name: "edited-own-key",
    isVariant: true,
    who: "marina",
    open: (stage) =>
      edited(stage, "iphone-marina", {
        keyOrigin: "browser",
        template: "[Interface]\nPrivateKey = \nDNS = 9.9.9.9\n\n[Peer]\nAllowedIPs = 0.0.0.0/0, ::/0\n",
      }),
  },
  {
    name: "created-phone",
    who: "marina",
    async open(stage) {
      await created(stage, "phone");
      await stage.page.getByText(stage.text.created.waitingPhone).waitFor(PATIENCE);
    },
  },
  {
    name: "created-in-hand",
    who: "marina",
    sizes: ["phone"],
    async open(stage) {
      await inHand(stage);
      await created(stage, "phone");
      await stage.page.getByRole("button", { name: stage.text.thisPhone.save }).waitFor(PATIENCE);
    },
  },
  {
    name: "created-in-hand-saved",
    isVariant: true,
    who: "marina",
    sizes: ["phone"],
    async open(stage) {
      const { page, text } = stage;
      await inHand(stage);
      await created(stage, "phone");
      await page.getByRole("button", { name: text.thisPhone.save }).click(PATIENCE);
      await page.getByRole("button", { name: text.thisPhone.again }).waitFor(PATIENCE);
    },
  },
  {
    name: "created-blocked",
    isVariant: true,
    who: "marina",
    async open(stage) {
      const { page, text } = stage;
      await anotherKind(stage);
      await page.clock.install();
      await created(stage, "phone");
      await page.getByText(text.created.waitingPhone).waitFor(PATIENCE);
      await page.clock.runFor(61_000);
      await page.getByRole("button", { name: text.otherWay.try }).waitFor(PATIENCE);
    },
  },
  {
    name: "created-computer",
    isVariant: true,
    who: "marina",
    async open(stage) {
      await created(stage, "computer");
      await stage.page.getByText(stage.text.created.waitingComputer).waitFor(PATIENCE);
    },
  },
  {
    name: "created-pending",
    isVariant: true,
    who: "marina",
    async open(stage) {
      await created(stage, "phone", (config) =>
        say(stage.page, "GET /vpn/configs", [{ ...config, state: "pending", pendingSince: new Date().toISOString() }]),
      );
      await stage.page.getByText(stage.text.created.pendingMore).waitFor(PATIENCE);
    },
  },
  {
    name: "created-connected",
    who: "marina",
    async open(stage) {
      await created(stage, "phone", async (config) => {
        const stats = { ...config.stats, lastHandshake: Date.now(), speed: null };
        await say(stage.page, "GET /vpn/configs/{id}/stats", stats);
      });
      await stage.page.getByRole("dialog").getByText(stage.text.created.connected, { exact: true }).waitFor(PATIENCE);
    },
  },
  {
    name: "qr",
    who: "marina",
    async open(stage) {
      await devices(stage);
      await stage.page.getByRole("button", { name: stage.text.card.qrOf("iphone-marina") }).click(PATIENCE);
      await stage.page.getByRole("img", { name: stage.text.qr.image("iphone-marina") }).waitFor(PATIENCE);
    },
  },
  {
    name: "qr-failed",
    isVariant: true,
    who: "marina",
    async open(stage) {
      await fail(stage.page, "GET /vpn/configs/{id}/qrcode");
      await devices(stage);
      await stage.page.getByRole("button", { name: stage.text.card.qrOf("iphone-marina") }).click(PATIENCE);
      await stage.page.getByText(stage.text.qr.failed).waitFor(PATIENCE);
    },
  },
  {
    name: "delete",
    isComposed: true,
    who: "marina",
    async open(stage) {
      await devices(stage);
      await stage.page.getByRole("button", { name: stage.text.card.remove("ipad-kids") }).click(PATIENCE);
      await stage.page.getByText(stage.text.remove.text).waitFor(PATIENCE);
    },
  },
  {
    name: "deleted",
    who: "marina",
    async open(stage) {
      const { page, text } = stage;
      await devices(stage);
      await intercept(page, "DELETE /vpn/configs/{id}", { status: 200, json: null });
      await page.getByRole("button", { name: text.card.remove("ipad-kids") }).click(PATIENCE);
      await page.getByRole("dialog").getByRole("button", { name: text.remove.confirm }).click(PATIENCE);
      await page.getByText(text.card.removed).first().waitFor(PATIENCE);
    },
  },
  {
    name: "replace-key",
    isComposed: true,
    who: "marina",
    async open(stage) {
      const { page, text } = stage;
      const list = await read(page, "GET /vpn/configs");
      await say(
        page,
        "GET /vpn/configs",
        list.map((config) => ({ ...config, keyOrigin: "browser" as const })),
      );
      await devices(stage);
      await page.getByRole("button", { name: text.card.replaceKeyOf("work-laptop") }).click(PATIENCE);
      await page.getByText(text.replace.text).waitFor(PATIENCE);
    },
  },
  {
    name: "month",
    who: "marina",
    async open(stage) {
      const { page, text } = stage;
      await devices(stage);
      await page.getByRole("button", { name: text.card.monthTableOf("iphone-marina") }).click(PATIENCE);
      await page.getByRole("dialog").getByRole("table").waitFor(PATIENCE);
    },
  },
  {
    name: "diagnosis-never-connected",
    who: "marina",
    async open(stage) {
      const sheet = await diagnosis(stage, "ipad-kids");
      await sheet.getByText(stage.text.diagnosis.causes.never_connected.title).waitFor(PATIENCE);
    },
  },
  {
    name: "diagnosis-tunnel-down",
    isComposed: true,
    who: "marina",
    async open(stage) {
      const since = new Date(Date.now() - 40 * 60_000).toISOString();
      const tunnel = { state: "closed" as const, since, fromInside: false };
      const sheet = await diagnosis(stage, "iphone-marina", {
        cause: "tunnel_down",
        tunnel,
        lastHandshake: Date.parse(since),
      });
      await sheet.getByText(stage.text.diagnosis.causes.tunnel_down.title).waitFor(PATIENCE);
    },
  },
  {
    name: "diagnosis-tunnel-blocked",
    isVariant: true,
    who: "marina",
    async open(stage) {
      const since = new Date(Date.now() - 40 * 60_000).toISOString();
      const tunnel = { state: "answers" as const, since, fromInside: false };
      const sheet = await diagnosis(stage, "ipad-kids", { cause: "tunnel_blocked", tunnel });
      await sheet.getByText(stage.text.diagnosis.causes.tunnel_blocked.title).waitFor(PATIENCE);
    },
  },
  {
    name: "diagnosis-old-file",
    isVariant: true,
    who: "marina",
    async open(stage) {
      const sheet = await diagnosis(stage, "work-laptop", { cause: "outdated_file", fileOutdated: true });
      await sheet.getByRole("button", { name: stage.text.diagnosis.download }).waitFor(PATIENCE);
    },
  },
  {
    name: "diagnosis-other-way",
    who: "marina",
    async open(stage) {
      await anotherKind(stage);
      const sheet = await diagnosis(stage, "ipad-kids", { cause: "udp_blocked" });
      const offer = sheet.getByRole("button", { name: stage.text.otherWay.take("AmneziaWG") });
      await offer.scrollIntoViewIfNeeded(PATIENCE);
    },
  },
  {
    name: "diagnosis-old-app",
    isVariant: true,
    who: "marina",
    async open(stage) {
      const list = await read(stage.page, "GET /vpn/configs");
      const hidden = list.map((one) => (one.name === "ipad-kids" ? { ...one, tunnel: HIDDEN } : one));
      await say(stage.page, "GET /vpn/configs", hidden);
      const sheet = await diagnosis(stage, "ipad-kids", { cause: "never_connected", lastHandshake: null });
      await sheet.getByText(stage.text.amnezia.need).scrollIntoViewIfNeeded(PATIENCE);
    },
  },
  {
    name: "moved-to-amneziawg",
    who: "marina",
    async open(stage) {
      await anotherKind(stage);
      const sheet = await diagnosis(stage, "ipad-kids", { cause: "udp_blocked" });
      const config = (await read(stage.page, "GET /vpn/configs")).find(({ name }) => name === "ipad-kids");
      if (!config) throw new Error("the sample club has no ipad-kids");
      await say(stage.page, "PUT /vpn/configs/{id}", { ...config, tunnel: HIDDEN, template: null });
      await sheet.getByRole("button", { name: stage.text.otherWay.take("AmneziaWG") }).click(PATIENCE);
      await stage.page.getByText(stage.text.amnezia.need).waitFor(PATIENCE);
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
  {
    name: "diagnosis-failed",
    isComposed: true,
    who: "marina",
    async open(stage) {
      const { page, text } = stage;
      await fail(page, "GET /vpn/configs/{id}/diagnosis");
      await devices(stage);
      await page.getByRole("button", { name: text.card.notWorkingOf("ipad-kids") }).click(PATIENCE);
      await page.getByText(text.diagnosis.failed).waitFor(PATIENCE);
    },
  },
  { name: "dashboard-staff", who: "moderator", open: dashboard },
];
