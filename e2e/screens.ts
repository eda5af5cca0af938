import type { Api } from "@krug/contract/api";
import { type RefusalCode, refusals, refusalText } from "@krug/contract/refusals";
import type { Browser, Page } from "playwright-core";
import { account as accountEn } from "../apps/web/src/lib/i18n/en/account.ts";
import { audit as auditEn } from "../apps/web/src/lib/i18n/en/audit.ts";
import { charter as charterEn } from "../apps/web/src/lib/i18n/en/charter.ts";
import { configsBrowser as configsBrowserEn } from "../apps/web/src/lib/i18n/en/configs-browser.ts";
import { diagnosis as diagnosisEn } from "../apps/web/src/lib/i18n/en/diagnosis.ts";
import { friends as friendsEn } from "../apps/web/src/lib/i18n/en/friends.ts";
import { inbox as inboxEn } from "../apps/web/src/lib/i18n/en/inbox.ts";
import { month as monthEn } from "../apps/web/src/lib/i18n/en/month.ts";
import { payments as paymentsEn } from "../apps/web/src/lib/i18n/en/payments.ts";
import { rules as rulesEn } from "../apps/web/src/lib/i18n/en/rules.ts";
import { staff as staffEn } from "../apps/web/src/lib/i18n/en/staff.ts";
import { staffInvites as staffInvitesEn } from "../apps/web/src/lib/i18n/en/staff-invites.ts";
import { staffPayments as staffPaymentsEn } from "../apps/web/src/lib/i18n/en/staff-payments.ts";
import { staffSupport as staffSupportEn } from "../apps/web/src/lib/i18n/en/staff-support.ts";
import { statistics as statisticsEn } from "../apps/web/src/lib/i18n/en/statistics.ts";
import { support as supportEn } from "../apps/web/src/lib/i18n/en/support.ts";
import { system as systemEn } from "../apps/web/src/lib/i18n/en/system.ts";
import { telegram as telegramEn } from "../apps/web/src/lib/i18n/en/telegram.ts";
import { users as usersEn } from "../apps/web/src/lib/i18n/en/users.ts";
import { en as enFirst } from "../apps/web/src/lib/i18n/en.ts";
import { account as accountRu } from "../apps/web/src/lib/i18n/ru/account.ts";
import { audit as auditRu } from "../apps/web/src/lib/i18n/ru/audit.ts";
import { charter as charterRu } from "../apps/web/src/lib/i18n/ru/charter.ts";
import { configsBrowser as configsBrowserRu } from "../apps/web/src/lib/i18n/ru/configs-browser.ts";
import { diagnosis as diagnosisRu } from "../apps/web/src/lib/i18n/ru/diagnosis.ts";
import { friends as friendsRu } from "../apps/web/src/lib/i18n/ru/friends.ts";
import { inbox as inboxRu } from "../apps/web/src/lib/i18n/ru/inbox.ts";
import { month as monthRu } from "../apps/web/src/lib/i18n/ru/month.ts";
import { payments as paymentsRu } from "../apps/web/src/lib/i18n/ru/payments.ts";
import { rules as rulesRu } from "../apps/web/src/lib/i18n/ru/rules.ts";
import { staff as staffRu } from "../apps/web/src/lib/i18n/ru/staff.ts";
import { staffInvites as staffInvitesRu } from "../apps/web/src/lib/i18n/ru/staff-invites.ts";
import { staffPayments as staffPaymentsRu } from "../apps/web/src/lib/i18n/ru/staff-payments.ts";
import { staffSupport as staffSupportRu } from "../apps/web/src/lib/i18n/ru/staff-support.ts";
import { statistics as statisticsRu } from "../apps/web/src/lib/i18n/ru/statistics.ts";
import { support as supportRu } from "../apps/web/src/lib/i18n/ru/support.ts";
import { system as systemRu } from "../apps/web/src/lib/i18n/ru/system.ts";
import { telegram as telegramRu } from "../apps/web/src/lib/i18n/ru/telegram.ts";
import { users as usersRu } from "../apps/web/src/lib/i18n/ru/users.ts";
import { ru as ruFirst } from "../apps/web/src/lib/i18n/ru.ts";
import { adminScreens } from "./admin-screens.ts";
import { staffSupportScreens } from "./admin-staff-support-screens.ts";
import { adminVpnScreens } from "./admin-vpn-screens.ts";
import type { SampleClub } from "./sample.ts";

/*
 * Every screen and dialog, once (those of the administration area in admin-screens.ts): who sees it and how to get there. `npm run shots` takes pictures of
 * them, every-screen.journey.test.ts holds them to what each must stand. A new screen is one entry in `screens`.
 */
export type Language = "ru" | "en";
export type Theme = "dark" | "light";
export const SIZES = { phone: { width: 360, height: 800 }, desktop: { width: 1440, height: 900 } } as const;
export type Size = keyof typeof SIZES;

const dictionaries = {
  ru: {
    ...ruFirst,
    ownAccount: accountRu,
    audit: auditRu,
    charter: charterRu,
    diagnosis: diagnosisRu,
    friends: friendsRu,
    month: monthRu,
    payments: paymentsRu,
    rules: rulesRu,
    staff: staffRu,
    staffSupport: staffSupportRu,
    staffInvites: staffInvitesRu,
    staffPayments: staffPaymentsRu,
    statistics: statisticsRu,
    configsBrowser: configsBrowserRu,
    inbox: inboxRu,
    support: supportRu,
    system: systemRu,
    telegram: telegramRu,
    users: usersRu,
  },
  en: {
    ...enFirst,
    ownAccount: accountEn,
    audit: auditEn,
    charter: charterEn,
    diagnosis: diagnosisEn,
    friends: friendsEn,
    month: monthEn,
    payments: paymentsEn,
    rules: rulesEn,
    staff: staffEn,
    staffSupport: staffSupportEn,
    staffInvites: staffInvitesEn,
    staffPayments: staffPaymentsEn,
    statistics: statisticsEn,
    configsBrowser: configsBrowserEn,
    inbox: inboxEn,
    support: supportEn,
    system: systemEn,
    telegram: telegramEn,
    users: usersEn,
  },
};

export interface Stage {
  page: Page;
  /** The dictionary of the language shown. */
  text: (typeof dictionaries)["ru"];
  language: Language;
}

export interface Screen {
  name: string;
  /** Of the sample club; null: a guest. */
  who: "marina" | "timur" | "oleg" | "vera" | "anton" | "moderator" | "admin" | null;
  /** Where it is there at all; both when nothing is said. */
  sizes?: readonly Size[];
  /** Goes there and waits for what is to be seen. It changes nothing in the club: others look at it at the same time. */
  open(stage: Stage): Promise<void>;
}

type Call = keyof Api & string;
const PATIENCE = { timeout: 30_000 };
const BROKEN = "Внутренняя ошибка. Уже записали, номер запроса req-1.";

/** Whoever asks for it gets this answer in place of the panel's. */
function say<K extends Call>(page: Page, key: K, answer: Api[K]["answer"]) {
  return intercept(page, key, { status: 200, json: answer });
}

function refuse({ page, language }: Stage, key: Call, code: RefusalCode) {
  const json = { error: { code, message: refusalText(code, language) } };
  return intercept(page, key, { status: refusals[code].status, json });
}

/** The panel answers that something broke. */
const fail = (page: Page, key: Call) =>
  intercept(page, key, { status: 500, json: { error: { code: "internal", message: BROKEN } } });

/** The page comes without the panel's first answers and asks for them, so that it hears what is said here. */
const asksItself = (page: Page) =>
  page.route(
    (url) => !/^\/(api|assets)\//.test(url.pathname),
    async (route) => {
      if (route.request().resourceType() !== "document") return route.fallback();
      const response = await route.fetch();
      const html = (await response.text()).replace(/<script[^>]*id="first-answers">.*?<\/script>/, "");
      return route.fulfill({ response, body: html });
    },
  );

async function intercept(page: Page, key: Call, answer: { status: number; json: unknown } | "never" | "silence") {
  const [method = "GET", path = ""] = key.split(" ");
  await asksItself(page);
  const address = new RegExp(`^/api${path.replace(/\{\w+\}/g, "[^/]+")}$`);
  await page.route(
    (url) => address.test(url.pathname),
    (route) => {
      if (route.request().method() !== method) return route.fallback();
      if (answer === "never") return;
      if (answer === "silence") return route.abort();
      return route.fulfill(answer);
    },
  );
}

async function silence(page: Page) {
  await asksItself(page);
  await page.route(
    (url) => url.pathname.startsWith("/api/"),
    (route) => route.abort(),
  );
}

const gateIsOn = { enabled: true, services: [], blockedCountries: ["UA"], supportContact: "@krug_help" };

async function atGate(stage: Stage, geo: { country: string }, vpn: { proxy: boolean; vpn: boolean }) {
  const { page, text } = stage;
  await say(page, "GET /security/gate", gateIsOn);
  await say(page, "GET /security/geo", geo);
  await say(page, "GET /security/vpn", vpn);
  await page.goto("/login");
  await page.getByRole("button", { name: text.gate.again }).waitFor(PATIENCE);
  await page.getByRole("link", { name: "@krug_help" }).waitFor(PATIENCE);
}

async function typeCode({ page, text }: Stage, code = "ABCDEF") {
  await page.goto("/register");
  await page.getByLabel(text.register.codeBox(1)).click(PATIENCE);
  await page.keyboard.type(code);
}

async function toAccount(stage: Stage) {
  await say(stage.page, "POST /auth/check-invite", { valid: true });
  await typeCode(stage);
  await stage.page.getByLabel(stage.text.account.username).waitFor(PATIENCE);
}

async function dashboard({ page }: Stage) {
  await page.goto("/dashboard");
  await page.getByRole("heading", { level: 1 }).waitFor(PATIENCE);
}

async function devices(stage: Stage) {
  await dashboard(stage);
  await stage.page.getByRole("article").first().waitFor(PATIENCE);
}

async function create(stage: Stage) {
  const { page, text } = stage;
  await devices(stage);
  // On a phone it is in the dock, at a desk in the section's head.
  await page.getByRole("button", { name: text.dashboard.create }).filter({ visible: true }).first().click(PATIENCE);
  await page.getByLabel(text.create.name, { exact: true }).waitFor(PATIENCE);
}

/** A creation that answers with a device of the sample club, so that its text and its readings are real. */
async function created(stage: Stage, device: "phone" | "computer", then?: (config: Config) => Promise<void>) {
  const { page, text } = stage;
  await create(stage);
  const list = (await (await page.request.get("/api/vpn/configs")).json()) as Config[];
  const made = list.find(({ deviceType }) => deviceType === device);
  if (!made) throw new Error(`the sample club has no ${device}`);
  const fresh: Config = { ...made, stats: { lastHandshake: null, dataReceived: 0, dataSent: 0 } };
  await say(page, "POST /vpn/configs", { ...fresh, template: null });
  await say(page, "GET /vpn/configs/{id}/stats", fresh.stats);
  await then?.(fresh);
  await page.getByLabel(text.create.name, { exact: true }).fill(fresh.name);
  await page.getByText(device === "phone" ? text.create.phone : text.create.computer, { exact: true }).click();
  await page.getByRole("checkbox").first().check();
  await page.getByRole("dialog").getByRole("button", { name: text.create.submit }).click();
  await page.getByRole("dialog", { name: fresh.name }).waitFor(PATIENCE);
}
type Config = Api["GET /vpn/configs"]["answer"][number];

async function settings(stage: Stage) {
  await devices(stage);
  await stage.page.getByRole("button", { name: stage.text.dashboard.settings }).click(PATIENCE);
  await stage.page.getByRole("button", { name: stage.text.settings.save }).waitFor(PATIENCE);
}

async function invitePanel(stage: Stage) {
  const { page, text } = stage;
  await dashboard(stage);
  await page.getByRole("button", { name: text.dashboard.invite }).click(PATIENCE);
  await page.getByRole("dialog", { name: text.friends.title }).waitFor(PATIENCE);
}

const DOT = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);

/** As a bank's application shows it, on a phone. */
async function receiptPicture(page: Page): Promise<Buffer> {
  const drawn = await page.evaluate(() => {
    const canvas = document.createElement("canvas");
    [canvas.width, canvas.height] = [540, 900];
    const pen = canvas.getContext("2d");
    if (pen === null) throw new Error("no canvas");
    pen.fillStyle = "#f2f4f7";
    pen.fillRect(0, 0, 540, 900);
    pen.fillStyle = "#1c2733";
    pen.font = "600 56px sans-serif";
    pen.fillText("300 ₽", 60, 300);
    pen.font = "32px sans-serif";
    for (const [line, words] of ["Перевод выполнен", "Иван К.", "+7 912 345-67-89"].entries())
      pen.fillText(words, 60, 380 + line * 60);
    return canvas.toDataURL("image/png").split(",")[1] ?? "";
  });
  return Buffer.from(drawn, "base64");
}

/** The widget, opened, with nothing noted as seen. */
async function supportWidget({ page, text }: Stage) {
  await say(page, "POST /support/read", { unread: 2, chat: 1 });
  await page.goto("/dashboard");
  await page.getByRole("button", { name: new RegExp(`^${text.dashboard.support}`) }).click(PATIENCE);
  const widget = page.getByRole("dialog", { name: text.support.title });
  await widget.waitFor(PATIENCE);
  return widget;
}

async function tickets(stage: Stage) {
  const widget = await supportWidget(stage);
  await widget.getByText(stage.text.support.tickets).click(PATIENCE);
  return widget;
}

type Telegram = Api["GET /auth/telegram/status"]["answer"];

/** A club whose bot is there and needed, and how one stands with it. */
const bot = (page: Page, about: Partial<Telegram> = {}) =>
  say(page, "GET /auth/telegram/status", {
    telegramConnected: false,
    enabled: true,
    required: true,
    botName: "krug_club_bot",
    account: null,
    botBlocked: false,
    ...about,
  });

/** The bind prompt, with a code that has so long, s. */
async function linking({ page, text }: Stage, seconds = 581) {
  await bot(page);
  await say(page, "POST /auth/telegram/generate-code", {
    telegramCode: "K7MPHW",
    deepLink: "https://t.me/krug_club_bot?start=K7MPHW",
    botName: "krug_club_bot",
    expiresAt: new Date(Date.now() + seconds * 1000).toISOString(),
  });
  await page.goto("/dashboard");
  await page.getByRole("button", { name: text.dashboard.bind }).click(PATIENCE);
  const dialog = page.getByRole("dialog", { name: text.telegram.bindTitle });
  await dialog.waitFor(PATIENCE);
  return dialog;
}

/** The page believes that it is held in the hand, whatever the window's size: a phone scans no code off itself. */
const inHand = (page: Page) =>
  page.addInitScript(() => {
    const real = window.matchMedia.bind(window);
    window.matchMedia = (media) => real(media.startsWith("(pointer: coarse)") ? "all" : media);
  });

async function unlinking(stage: Stage) {
  const { page, text } = stage;
  await bot(page, { telegramConnected: true, account: "@marina_k" });
  const expiresAt = new Date(Date.now() + 600_000).toISOString();
  await say(page, "GET /auth/telegram/unlink-code/{id}", { code: "K7MPHW", expiresAt });
  await settings(stage);
  await page.getByRole("button", { name: text.telegram.unlinkTitle }).click(PATIENCE);
  const dialog = page.getByRole("dialog", { name: text.telegram.unlinkTitle });
  await dialog.getByText("K 7 M P H W").waitFor(PATIENCE);
  return dialog;
}

async function unlinkingTyped(stage: Stage, code: string) {
  const { page, text } = stage;
  const dialog = await unlinking(stage);
  await dialog.getByRole("button", { name: text.telegram.unlinkNext }).click(PATIENCE);
  await dialog.getByLabel(text.register.codeBox(1)).click(PATIENCE);
  await page.keyboard.type(code);
  await dialog.getByRole("button", { name: text.telegram.unlink, exact: true }).click(PATIENCE);
  return dialog;
}

type OwnPayments = Api["GET /payments/own"]["answer"];

/** The payment sheet; `about`: what stands otherwise than in the sample club. */
async function paying({ page, text }: Stage, about?: (own: OwnPayments) => Partial<OwnPayments>) {
  if (about) {
    const own = (await (await page.request.get("/api/payments/own")).json()) as OwnPayments;
    await say(page, "GET /payments/own", { ...own, ...about(own) });
  }
  const { payments, payNow, payMore, payWaiting, payDeclined } = text.dashboard;
  await page.goto("/dashboard");
  await page
    .getByRole("button", { name: new RegExp(`^(${[payments, payNow, payMore, payWaiting, payDeclined].join("|")})$`) })
    .click(PATIENCE);
  const sheet = page.getByRole("dialog", { name: text.payments.title });
  await sheet.waitFor(PATIENCE);
  return sheet;
}

const claimed = (about: Partial<NonNullable<OwnPayments["claim"]>> = {}): OwnPayments["claim"] => ({
  id: "00000000-0000-4000-8000-000000000001",
  state: "waiting",
  claimedAt: new Date(Date.now() - 7_200_000).toISOString(),
  decidedAt: null,
  reason: null,
  receipt: null,
  ...about,
});

type Diagnosis = Api["GET /vpn/configs/{id}/diagnosis"]["answer"];

/** 'Не работает?' of a device of the sample club; `about`: what the club sees otherwise. */
async function diagnosis(stage: Stage, device: string, about: Partial<Diagnosis> = {}) {
  const { page, text } = stage;
  const list = (await (await page.request.get("/api/vpn/configs")).json()) as Config[];
  const config = list.find(({ name }) => name === device);
  const seen = (await (await page.request.get(`/api/vpn/configs/${config?.id}/diagnosis`)).json()) as Diagnosis;
  await say(page, "GET /vpn/configs/{id}/diagnosis", { ...seen, ...about });
  await devices(stage);
  await page.getByRole("button", { name: text.card.notWorkingOf(device) }).click(PATIENCE);
  const sheet = page.getByRole("dialog", { name: text.diagnosis.title(device) });
  await sheet.getByText(text.diagnosis.whatWeSee).waitFor(PATIENCE);
  return sheet;
}

const guests: Screen[] = [
  {
    name: "landing",
    who: null,
    async open({ page }) {
      await page.goto("/");
      await page.getByRole("heading", { level: 1 }).waitFor(PATIENCE);
    },
  },
  {
    name: "login",
    who: null,
    async open({ page, text }) {
      await page.goto("/login");
      await page.getByRole("button", { name: text.login.submit }).waitFor(PATIENCE);
      await page.getByRole("link", { name: "@krug_help" }).waitFor(PATIENCE);
    },
  },
  {
    name: "login-refused",
    who: null,
    async open(stage) {
      const { page, text } = stage;
      await refuse(stage, "POST /auth/login", "auth.wrong_credentials");
      await page.goto("/login");
      await page.getByLabel(text.account.username).fill("marina");
      await page.getByLabel(text.account.password, { exact: true }).fill("wrong");
      await page.getByRole("button", { name: text.login.submit }).click();
      await page.getByRole("alert").waitFor(PATIENCE);
    },
  },
  {
    name: "login-incomplete",
    who: null,
    async open({ page, text }) {
      await page.goto("/login");
      await page.getByRole("button", { name: text.login.submit }).click();
      await page.getByText(text.account.passwordMissing).waitFor(PATIENCE);
    },
  },
  {
    name: "login-maintenance",
    who: null,
    async open({ page, text }) {
      await say(page, "GET /maintenance", { enabled: true, since: new Date().toISOString() });
      await page.goto("/login");
      await page.getByText(text.failure.maintenance).waitFor(PATIENCE);
    },
  },
  {
    name: "register-code",
    who: null,
    async open({ page, text }) {
      await page.goto("/register");
      await page.getByLabel(text.register.codeBox(1)).waitFor(PATIENCE);
    },
  },
  {
    name: "register-wrong-code",
    who: null,
    async open(stage) {
      await refuse(stage, "POST /auth/check-invite", "invite.wrong_code");
      await typeCode(stage);
      await stage.page.getByRole("alert").waitFor(PATIENCE);
    },
  },
  {
    name: "register-ban",
    who: null,
    async open({ page, text }) {
      await say(page, "GET /auth/invite-attempts", { count: 5, bannedUntil: Date.now() + 275_000 });
      await page.goto("/register");
      await page.getByText(text.register.banWhy).waitFor(PATIENCE);
    },
  },
  {
    name: "register-account",
    who: null,
    open: toAccount,
  },
  {
    name: "register-account-incomplete",
    who: null,
    async open(stage) {
      const { page, text } = stage;
      await toAccount(stage);
      await page.getByLabel(text.account.password, { exact: true }).fill("12345");
      await page.getByLabel(text.account.repeat).fill("1234567");
      await page.getByRole("button", { name: text.register.submit }).click();
      await page.getByText(text.account.mismatch).waitFor(PATIENCE);
    },
  },
  {
    name: "register-closed",
    who: null,
    async open({ page, text }) {
      await say(page, "GET /maintenance", { enabled: true, since: new Date().toISOString() });
      await page.goto("/register");
      await page.getByRole("heading", { name: text.register.closedTitle }).waitFor(PATIENCE);
    },
  },
  {
    name: "setup",
    who: null,
    async open({ page, text }) {
      await page.goto("/setup?token=one-time");
      await page.getByRole("button", { name: text.setup.submit }).waitFor(PATIENCE);
    },
  },
  {
    name: "setup-without-key",
    who: null,
    async open({ page, text }) {
      await page.goto("/setup");
      await page.getByText(text.setup.noToken).waitFor(PATIENCE);
    },
  },
  {
    name: "new-password",
    who: null,
    async open({ page, text }) {
      await page.goto("/password?token=one-time");
      await page.getByRole("button", { name: text.setPassword.submit }).waitFor(PATIENCE);
    },
  },
  {
    name: "new-password-used-link",
    who: null,
    async open(stage) {
      const { page, text } = stage;
      await refuse(stage, "POST /auth/set-password", "auth.link_invalid");
      await page.goto("/password?token=one-time");
      await page.getByLabel(text.account.password, { exact: true }).fill("a phrase of one's own");
      await page.getByLabel(text.account.repeat).fill("a phrase of one's own");
      await page.getByRole("button", { name: text.setPassword.submit }).click();
      await page.getByText(text.setPassword.usedHint).waitFor(PATIENCE);
    },
  },
  {
    name: "missing",
    who: null,
    async open({ page, text }) {
      await page.goto("/404");
      await page.getByRole("heading", { name: text.missing.title }).waitFor(PATIENCE);
    },
  },
  {
    name: "gate",
    who: null,
    async open({ page, text }) {
      await say(page, "GET /security/gate", gateIsOn);
      await say(page, "GET /security/geo", { country: "RU" });
      await intercept(page, "GET /security/vpn", "never");
      await page.goto("/login");
      await page.getByText(text.gate.place).waitFor(PATIENCE);
    },
  },
  {
    name: "gate-region",
    who: null,
    open: (stage) => atGate(stage, { country: "UA" }, { proxy: false, vpn: false }),
  },
  {
    name: "gate-vpn",
    who: null,
    open: (stage) => atGate(stage, { country: "RU" }, { proxy: false, vpn: true }),
  },
  {
    name: "gate-failed",
    who: null,
    async open(stage) {
      await say(stage.page, "GET /security/gate", gateIsOn);
      await fail(stage.page, "GET /security/geo");
      await stage.page.goto("/login");
      await stage.page.getByRole("heading", { name: stage.text.gate.failed }).waitFor(PATIENCE);
    },
  },
  {
    name: "silent",
    who: null,
    async open({ page, text }) {
      await silence(page);
      await page.goto("/login");
      await page.getByRole("heading", { name: text.crash.silentTitle }).waitFor(PATIENCE);
    },
  },
];

const members: Screen[] = [
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
      const [first] = (await (await page.request.get("/api/vpn/configs")).json()) as [Config];
      const one = (n: number, about: Partial<Config>): Config => ({
        ...first,
        id: `00000000-0000-4000-8000-00000000000${n}`,
        stats: { lastHandshake: null, dataReceived: 0, dataSent: 0 },
        ...about,
      });
      await say(page, "GET /vpn/configs", [
        one(1, { name: "waiting", state: "pending", pendingSince: new Date(Date.now() - 3_600_000).toISOString() }),
        one(2, { name: "blocked", state: "off", isBlocked: true }),
        one(3, { name: "interface-off", state: "off" }),
        one(4, { name: "changed", needsDownload: true, overPhoneLimit: true, stats: first.stats }),
        one(5, { name: "own-key", keyOrigin: "browser", deviceType: "computer", stats: first.stats }),
        one(6, { name: "a-name-of-15-chs", createdAt: "whenever" }),
      ]);
      await devices(stage);
    },
  },
  { name: "dashboard-expired", who: "oleg", open: dashboard },
  {
    name: "dashboard-limit",
    who: "vera",
    async open(stage) {
      await devices(stage);
      await stage.page.getByText(stage.text.dashboard.limitReached).waitFor(PATIENCE);
    },
  },
  {
    name: "dashboard-no-interfaces",
    who: "anton",
    async open(stage) {
      await say(stage.page, "GET /vpn/available-interfaces", []);
      await dashboard(stage);
      await stage.page.getByText(stage.text.dashboard.noInterfaces).waitFor(PATIENCE);
    },
  },
  {
    name: "dashboard-bind",
    who: "marina",
    async open(stage) {
      await bot(stage.page);
      await devices(stage);
      await stage.page.getByText(stage.text.dashboard.bindTelegram).waitFor(PATIENCE);
    },
  },
  {
    name: "dashboard-empty-bind",
    who: "anton",
    async open(stage) {
      await bot(stage.page);
      await dashboard(stage);
      await stage.page.getByText(stage.text.dashboard.emptyBind).waitFor(PATIENCE);
    },
  },
  {
    name: "dashboard-unlimited",
    who: "marina",
    async open(stage) {
      const { page, text } = stage;
      const me = (await (await page.request.get("/api/auth/me")).json()) as Api["GET /auth/me"]["answer"];
      const entitlement = { allowed: true, reason: "unlimited", until: null } as const;
      await say(page, "GET /auth/me", { ...me, isUnlimited: true, is_unlimited: 1, vpnConfigLimit: -1, entitlement });
      await devices(stage);
      await page.getByText(text.dashboard.unlimited).waitFor(PATIENCE);
    },
  },
  {
    name: "dashboard-broken",
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
      await devices(stage);
      await silence(page);
      const refresh = text.dashboard.refresh("").slice(0, 8);
      await page.getByRole("button", { name: refresh }).click(PATIENCE);
      await page.getByText(text.dashboard.loadFailed).waitFor(PATIENCE);
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
    who: "marina",
    async open(stage) {
      await devices(stage);
      await stage.page.getByRole("button", { name: "Android" }).click(PATIENCE);
      await stage.page.getByText(stage.text.guide.android[0] ?? "").waitFor(PATIENCE);
      await stage.page.getByRole("button", { name: "Android" }).scrollIntoViewIfNeeded();
    },
  },
  { name: "create", who: "marina", open: create },
  {
    name: "create-incomplete",
    who: "marina",
    async open(stage) {
      const { page, text } = stage;
      await create(stage);
      await page.getByLabel(text.create.name, { exact: true }).fill("мой телефон");
      await page.getByText(text.create.nameWrong).waitFor(PATIENCE);
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
  {
    name: "created-phone",
    who: "marina",
    async open(stage) {
      await created(stage, "phone");
      await stage.page.getByText(stage.text.created.waitingPhone).waitFor(PATIENCE);
    },
  },
  {
    name: "created-computer",
    who: "marina",
    async open(stage) {
      await created(stage, "computer");
      await stage.page.getByText(stage.text.created.waitingComputer).waitFor(PATIENCE);
    },
  },
  {
    name: "created-pending",
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
        const stats = { ...config.stats, lastHandshake: Date.now() };
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
    who: "marina",
    async open(stage) {
      const { page, text } = stage;
      const list = (await (await page.request.get("/api/vpn/configs")).json()) as Config[];
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
    name: "diagnosis-old-file",
    who: "marina",
    async open(stage) {
      const sheet = await diagnosis(stage, "work-laptop", { cause: "outdated_file", fileOutdated: true });
      await sheet.getByRole("button", { name: stage.text.diagnosis.download }).waitFor(PATIENCE);
    },
  },
  {
    name: "diagnosis-failed",
    who: "marina",
    async open(stage) {
      const { page, text } = stage;
      await fail(page, "GET /vpn/configs/{id}/diagnosis");
      await devices(stage);
      await page.getByRole("button", { name: text.card.notWorkingOf("ipad-kids") }).click(PATIENCE);
      await page.getByText(text.diagnosis.failed).waitFor(PATIENCE);
    },
  },
  { name: "settings", who: "marina", open: settings },
  {
    name: "settings-incomplete",
    who: "marina",
    async open(stage) {
      const { page, text } = stage;
      await settings(stage);
      await page.getByLabel(text.settings.current, { exact: true }).fill("old one");
      await page.getByLabel(text.settings.fresh, { exact: true }).fill("12345");
      await page.getByRole("button", { name: text.settings.save }).click();
      await page.getByText(text.settings.check).waitFor(PATIENCE);
    },
  },
  {
    name: "settings-sessions",
    who: "marina",
    async open(stage) {
      const { page, text } = stage;
      await settings(stage);
      await page.getByRole("button", { name: text.ownAccount.ownData.download }).scrollIntoViewIfNeeded(PATIENCE);
      await page.getByRole("button", { name: text.ownAccount.sessions.endOthers }).waitFor(PATIENCE);
    },
  },
  {
    name: "settings-end-sessions",
    who: "marina",
    async open(stage) {
      const { page, text } = stage;
      await settings(stage);
      await page.getByRole("button", { name: text.ownAccount.sessions.endOthers }).click(PATIENCE);
      await page.getByText(text.ownAccount.sessions.askOthersText).waitFor(PATIENCE);
    },
  },
  {
    name: "settings-telegram",
    who: "marina",
    async open(stage) {
      await bot(stage.page);
      await settings(stage);
      await stage.page.getByText(stage.text.telegram.whatForRequired).waitFor(PATIENCE);
    },
  },
  {
    name: "settings-telegram-linked",
    who: "marina",
    async open(stage) {
      await bot(stage.page, { telegramConnected: true, account: "@marina_k" });
      await settings(stage);
      await stage.page.getByText(stage.text.telegram.linkedTo("@marina_k")).waitFor(PATIENCE);
    },
  },
  {
    name: "settings-telegram-blocked",
    who: "marina",
    async open(stage) {
      await bot(stage.page, { botBlocked: true });
      await settings(stage);
      await stage.page.getByText(stage.text.telegram.botBlocked("krug_club_bot")).waitFor(PATIENCE);
    },
  },
  {
    name: "telegram-linking",
    who: "marina",
    async open(stage) {
      const dialog = await linking(stage);
      await dialog.getByRole("img", { name: stage.text.telegram.qrLabel("krug_club_bot") }).waitFor(PATIENCE);
    },
  },
  {
    name: "telegram-linking-in-hand",
    who: "marina",
    async open(stage) {
      await inHand(stage.page);
      await (await linking(stage)).getByText(stage.text.telegram.leadHere).waitFor(PATIENCE);
    },
  },
  {
    name: "telegram-code-over",
    who: "marina",
    async open(stage) {
      await (await linking(stage, -1)).getByText(stage.text.telegram.over).waitFor(PATIENCE);
    },
  },
  {
    name: "telegram-linked",
    who: "marina",
    async open(stage) {
      const dialog = await linking(stage);
      await dialog.getByRole("timer").waitFor(PATIENCE);
      await bot(stage.page, { telegramConnected: true, account: "@marina_k" });
      await dialog.getByText(stage.text.telegram.connected).waitFor(PATIENCE);
    },
  },
  { name: "telegram-unlink", who: "marina", open: async (stage) => void (await unlinking(stage)) },
  {
    name: "telegram-unlink-wrong-code",
    who: "marina",
    async open(stage) {
      const dialog = await unlinkingTyped(stage, "ABCDEF");
      await dialog.getByText(stage.text.telegram.wrongCode).waitFor(PATIENCE);
    },
  },
  {
    name: "telegram-unlinked",
    who: "marina",
    async open(stage) {
      const { page, text } = stage;
      await say(page, "POST /auth/telegram/unlink", { telegramConnected: false });
      // The dialog closes by itself; here it stays to be looked at.
      await page.clock.install();
      const dialog = await unlinkingTyped(stage, "K7MPHW");
      await dialog.getByText(text.telegram.unlinked).waitFor(PATIENCE);
    },
  },
  {
    name: "payment-ended",
    who: "oleg",
    async open(stage) {
      await (await paying(stage)).getByText(stage.text.payments.endedTitle).waitFor(PATIENCE);
    },
  },
  {
    name: "payment-running",
    who: "anton",
    async open(stage) {
      await (await paying(stage)).getByRole("button", { name: stage.text.payments.claim }).waitFor(PATIENCE);
    },
  },
  {
    name: "payment-with-receipt",
    who: "oleg",
    async open(stage) {
      const sheet = await paying(stage);
      const buffer = await receiptPicture(stage.page);
      await sheet.locator('input[type="file"]').setInputFiles({ name: "a.png", mimeType: "image/png", buffer });
      await sheet.getByAltText(stage.text.payments.yourReceipt).waitFor(PATIENCE);
    },
  },
  {
    name: "payment-waiting",
    who: "oleg",
    async open(stage) {
      const { page, text } = stage;
      const body = await receiptPicture(page);
      await page.route("**/api/payments/claim/receipt?*", (route) => route.fulfill({ contentType: "image/png", body }));
      const receipt = "00000000-0000-4000-8000-000000000002";
      const sheet = await paying(stage, () => ({ claim: claimed({ receipt }) }));
      await sheet.getByText(text.payments.waitingTitle).waitFor(PATIENCE);
      await sheet.getByAltText(text.payments.openReceipt).waitFor(PATIENCE);
    },
  },
  {
    name: "payment-declined",
    who: "oleg",
    async open(stage) {
      const decidedAt = new Date().toISOString();
      const reason = "Перевод за июль не пришёл, пришлите чек с датой и суммой.";
      const sheet = await paying(stage, () => ({ claim: claimed({ state: "declined", decidedAt, reason }) }));
      await sheet.getByText(stage.text.payments.declinedTitle).waitFor(PATIENCE);
    },
  },
  {
    name: "payment-overdue",
    who: "oleg",
    async open(stage) {
      const sheet = await paying(stage, ({ current }) => ({ current: { ...current, status: "overdue" } }));
      await sheet.getByText(stage.text.payments.overdue).waitFor(PATIENCE);
    },
  },
  {
    name: "payment-paid",
    who: "marina",
    async open(stage) {
      await (await paying(stage)).getByText(stage.text.payments.paidTitle).waitFor(PATIENCE);
    },
  },
  {
    name: "payment-not-set-up",
    who: "oleg",
    async open(stage) {
      const sheet = await paying(stage, () => ({ price: null, details: null, canClaim: false, wouldExtendTo: null }));
      await sheet.getByText(stage.text.payments.notSetUpTitle).waitFor(PATIENCE);
    },
  },
  {
    name: "payment-free",
    who: "anton",
    async open(stage) {
      const sheet = await paying(stage, () => ({ free: "referral", canClaim: false, wouldExtendTo: null }));
      await sheet.getByText(stage.text.payments.freeTitle).waitFor(PATIENCE);
    },
  },
  {
    name: "invite",
    who: "marina",
    async open(stage) {
      await invitePanel(stage);
      await stage.page.getByRole("timer").waitFor(PATIENCE);
      await stage.page.getByRole("dialog").getByText("Вера").waitFor(PATIENCE);
    },
  },
  {
    name: "invite-empty",
    who: "vera",
    async open(stage) {
      await invitePanel(stage);
      await stage.page.getByText(stage.text.friends.empty).waitFor(PATIENCE);
      await stage.page.getByRole("button", { name: stage.text.friends.make }).waitFor(PATIENCE);
    },
  },
  {
    name: "invite-on-trial",
    who: "anton",
    async open(stage) {
      const { page, text } = stage;
      await invitePanel(stage);
      await page.getByRole("button", { name: text.friends.make }).click(PATIENCE);
      await page.getByText(text.friends.doorTrial).waitFor(PATIENCE);
    },
  },
  { name: "dashboard-staff", who: "moderator", open: dashboard },
  {
    name: "support",
    who: "marina",
    async open(stage) {
      await (await supportWidget(stage)).getByRole("article").last().waitFor(PATIENCE);
    },
  },
  {
    name: "support-empty",
    who: "anton",
    async open(stage) {
      await (await supportWidget(stage)).getByText(stage.text.support.empty).waitFor(PATIENCE);
    },
  },
  {
    name: "support-not-sent",
    who: "marina",
    async open(stage) {
      const { page, text } = stage;
      await intercept(page, "POST /support/messages", "silence");
      const widget = await supportWidget(stage);
      await widget.locator('input[type="file"]').setInputFiles({ name: "a.png", mimeType: "image/png", buffer: DOT });
      await widget.getByRole("button", { name: text.support.removeImage(1) }).waitFor(PATIENCE);
      await widget.getByRole("textbox").fill("Samsung UE43");
      await widget.getByRole("textbox").press("Enter");
      await widget.getByText(text.support.sendFailed).waitFor(PATIENCE);
    },
  },
  {
    name: "support-draft",
    who: "marina",
    async open(stage) {
      const widget = await supportWidget(stage);
      await widget.locator('input[type="file"]').setInputFiles({ name: "a.png", mimeType: "image/png", buffer: DOT });
      await widget.getByRole("button", { name: stage.text.support.removeImage(1) }).waitFor(PATIENCE);
      await widget.getByRole("textbox").fill("Samsung UE43\n2021\nAndroid TV");
    },
  },
  {
    name: "support-tickets",
    who: "marina",
    async open(stage) {
      await (await tickets(stage)).getByRole("button", { name: /Обрывается видео/ }).waitFor(PATIENCE);
    },
  },
  {
    name: "support-no-tickets",
    who: "oleg",
    async open(stage) {
      await (await tickets(stage)).getByText(stage.text.support.ticketsEmpty).waitFor(PATIENCE);
    },
  },
  {
    name: "support-ticket",
    who: "marina",
    async open(stage) {
      const widget = await tickets(stage);
      await widget.getByRole("button", { name: /Обрывается видео/ }).click(PATIENCE);
      await widget.getByRole("article").last().waitFor(PATIENCE);
    },
  },
  {
    name: "support-new-ticket",
    who: "marina",
    async open(stage) {
      const { text } = stage;
      const widget = await tickets(stage);
      await widget.getByRole("button", { name: text.support.createTicket }).click(PATIENCE);
      await widget.getByRole("button", { name: text.support.create, exact: true }).click(PATIENCE);
      await widget.getByText(text.support.subjectMissing).waitFor(PATIENCE);
    },
  },
];

/** In which windows a screen is there. */
export const sizesOf = ({ sizes = ["desktop", "phone"] }: Screen): readonly Size[] => sizes;

export const screens: readonly Screen[] = [
  ...guests,
  ...members,
  ...adminScreens({ say, refuse, fail }),
  ...staffSupportScreens({ say, refuse, fail }),
  ...adminVpnScreens({ say, fail }),
];

export interface Look {
  size: Size;
  theme: Theme;
  language: Language;
}

/** People of the sample club who are looked at the screens as, each signed in once. */
export async function signInEveryone(club: SampleClub): Promise<(who: Screen["who"]) => string | null> {
  const names = [...new Set(screens.flatMap(({ who }) => who ?? []))];
  const tokens = new Map<string, string>();
  for (const name of names) tokens.set(name, await club.signIn(name));
  return (who) => (who === null ? null : (tokens.get(who) ?? null));
}

/** A page of a browser that has never been here, in this size, theme and language, with the screen open. `token`: of who looks. */
export async function openScreen(
  browser: Browser,
  { screen, look, url, token }: { screen: Screen; look: Look; url: string; token: string | null },
): Promise<Page> {
  const { size, theme, language } = look;
  const context = await browser.newContext({
    viewport: SIZES[size],
    baseURL: url,
    locale: language === "ru" ? "ru-RU" : "en-GB",
    colorScheme: theme,
    reducedMotion: "reduce",
  });
  if (token !== null) await context.addCookies([{ name: "krug_session", value: token, url, sameSite: "Strict" }]);
  await context.addInitScript(
    ([shownTheme, shownLanguage]) => {
      if (!location.protocol.startsWith("http")) return;
      localStorage.setItem("krug.theme", shownTheme);
      localStorage.setItem("krug.language", shownLanguage);
    },
    [theme, language] as const,
  );
  const page = await context.newPage();
  try {
    await screen.open({ page, language, text: dictionaries[language] });
    return page;
  } catch (error) {
    await context.close();
    throw new Error(`${screen.name} (${size}, ${theme}, ${language}) does not come up`, { cause: error });
  }
}

/** The open screen in another size, theme and language, as if another tab had chosen the latter. */
export async function lookAnew(page: Page, { size, theme, language }: Look): Promise<void> {
  await page.setViewportSize(SIZES[size]);
  await page.evaluate(
    (chosen) => {
      for (const [key, newValue] of chosen)
        dispatchEvent(new StorageEvent("storage", { key, newValue, storageArea: localStorage }));
    },
    [
      ["krug.theme", theme],
      ["krug.language", language],
    ] as const,
  );
  await page.waitForFunction(
    ([shownTheme, shownLanguage]) =>
      document.documentElement.dataset.mantineColorScheme === shownTheme &&
      document.documentElement.lang === shownLanguage,
    [theme, language] as const,
    PATIENCE,
  );
  // Transitions are over when colours are measured, and what a size asks for is there.
  await page.waitForTimeout(300);
}
