import type { Api } from "@krug/contract/api";
import { WEBHOOK_EVENTS } from "@krug/domain/webhook-rules";
import { inside } from "./admin-entry.ts";
import { fail, intercept, refuse, say } from "./answers.ts";
import { PATIENCE, type Screen, type Stage } from "./stage.ts";

const ago = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString();
const ID = "7f0d5b52-6a55-4f4e-9a86-1f3e5c1d2b";

const fresh = { createdAt: ago(20_000), offBecause: null, failingSince: null, formerSecretUntil: null } as const;
const hooks: Api["GET /admin/webhooks"]["answer"] = [
  {
    ...fresh,
    id: `${ID}11`,
    url: "https://bot.example/krug",
    description: "Бот",
    events: ["member.joined", "payment.claimed", "payment.paid"],
    enabled: true,
    formerSecretUntil: new Date(Date.now() + 40_000_000).toISOString(),
    waiting: 0,
    failed: 0,
  },
  {
    ...fresh,
    id: `${ID}12`,
    url: "https://hooks.example/services/T0253/B1D9/9bC2-a-very-long-address-that-goes-on-and-on",
    description: "",
    events: [...WEBHOOK_EVENTS],
    enabled: true,
    failingSince: ago(240),
    waiting: 12,
    failed: 3,
  },
  {
    ...fresh,
    id: `${ID}13`,
    url: "https://old.example/",
    description: "Бухгалтерия",
    events: ["payment.paid"],
    enabled: false,
    offBecause: "failing",
    waiting: 0,
    failed: 41,
  },
];
const tried = { attempts: 1, lastAt: ago(5), status: 204, problem: null, durationMs: 182, nextAt: null } as const;
const deliveries: Api["GET /admin/webhooks/{id}/deliveries"]["answer"] = [
  {
    ...tried,
    id: `${ID}21`,
    event: "payment.paid",
    at: ago(5),
    state: "waiting",
    status: 503,
    nextAt: new Date(Date.now() + 60_000).toISOString(),
  },
  { ...tried, id: `${ID}22`, event: "member.joined", at: ago(30), state: "delivered" },
  {
    ...tried,
    id: `${ID}23`,
    event: "subscription.ended",
    at: ago(3_000),
    state: "failed",
    attempts: 10,
    status: null,
    problem: "no answer in time",
    durationMs: 10_003,
  },
];
const body = JSON.stringify({
  id: `${ID}22`,
  type: "member.joined",
  version: 1,
  timestamp: "2026-11-24T09:12:44.120Z",
  data: { memberId: `${ID}31`, username: "marina" },
});

const webhooks = async (stage: Stage, list = hooks) => {
  await say(stage.page, "GET /admin/webhooks", list);
  await say(stage.page, "GET /admin/webhooks/{id}/deliveries", deliveries);
  await say(stage.page, "GET /admin/webhooks/{id}/deliveries/{deliveryId}", { ...deliveries[1], body } as never);
  await inside(stage, "webhooks");
  const { text, page } = stage;
  await page.getByText(list.length === 0 ? text.webhooks.noneMore : "https://bot.example/krug").waitFor(PATIENCE);
};
const choose = async (stage: Stage, item: string) => {
  await webhooks(stage);
  await stage.page.getByRole("button", { name: stage.text.staff.table.actions("Бот") }).click(PATIENCE);
  await stage.page.getByRole("menuitem", { name: item }).click(PATIENCE);
  await stage.page.getByRole("dialog").waitFor(PATIENCE);
};
const add = async (stage: Stage) => {
  await webhooks(stage, []);
  await stage.page.getByRole("button", { name: stage.text.webhooks.add }).click(PATIENCE);
  await stage.page.getByRole("dialog").getByRole("textbox", { name: stage.text.webhooks.form.url }).waitFor(PATIENCE);
};

export const adminWebhooksScreens: readonly Screen[] = [
  { name: "admin-webhooks", who: "admin", open: (stage) => webhooks(stage) },
  { name: "admin-webhooks-none", isVariant: true, who: "admin", open: (stage) => webhooks(stage, []) },
  {
    name: "admin-webhooks-failed",
    isVariant: true,
    who: "admin",
    async open(stage) {
      await fail(stage.page, "GET /admin/webhooks");
      await inside(stage, "webhooks");
      await stage.page.getByText(stage.text.webhooks.failed).waitFor(PATIENCE);
    },
  },
  { name: "admin-webhook-add", who: "admin", open: add },
  {
    name: "admin-webhook-add-missing",
    isVariant: true,
    who: "admin",
    async open(stage) {
      await add(stage);
      const dialog = stage.page.getByRole("dialog");
      await dialog.getByRole("button", { name: stage.text.webhooks.form.create, exact: true }).click(PATIENCE);
      await dialog.getByText(stage.text.webhooks.form.urlMissing).waitFor(PATIENCE);
    },
  },
  {
    name: "admin-webhook-edit",
    isVariant: true,
    who: "admin",
    open: (stage) => choose(stage, stage.text.webhooks.edit),
  },
  {
    name: "admin-webhook-changed",
    who: "admin",
    async open(stage) {
      const { text, page } = stage;
      await intercept(page, "POST /auth/confirm-password", { status: 204, json: null });
      await refuse(stage, "PUT /admin/webhooks/{id}", "webhook.changed_meanwhile");
      await choose(stage, text.webhooks.edit);
      const dialog = page.getByRole("dialog");
      await dialog.getByRole("textbox", { name: text.webhooks.form.description }).fill("Бот клуба", PATIENCE);
      await dialog.locator("input[type=password]").fill("a fine phrase", PATIENCE);
      await dialog.getByRole("button", { name: text.edit.save, exact: true }).click(PATIENCE);
      await dialog.getByText(text.webhooks.form.conflict).waitFor(PATIENCE);
    },
  },
  {
    name: "admin-webhook-secret",
    isComposed: true,
    who: "admin",
    open: (stage) => choose(stage, stage.text.webhooks.replace),
  },
  {
    name: "admin-webhook-secret-shown",
    isComposed: true,
    who: "admin",
    async open(stage) {
      const secret = "whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oDlmuX9Wc2Tbs=";
      await intercept(stage.page, "POST /auth/confirm-password", { status: 204, json: null });
      await say(stage.page, "POST /admin/webhooks/{id}/secret", { ...hooks[0], secret } as never);
      await choose(stage, stage.text.webhooks.replace);
      const dialog = stage.page.getByRole("dialog");
      await dialog.locator("input[type=password]").fill("a fine phrase", PATIENCE);
      await dialog.getByRole("button", { name: stage.text.webhooks.secret.confirm, exact: true }).click(PATIENCE);
      await stage.page.getByText(secret).waitFor(PATIENCE);
    },
  },
  {
    name: "admin-webhook-log",
    who: "admin",
    async open(stage) {
      await webhooks(stage);
      const { text, page } = stage;
      await page.getByRole("button", { name: text.webhooks.logOf("Бот") }).click(PATIENCE);
      const dialog = page.getByRole("dialog");
      await dialog.getByRole("button", { name: text.webhooks.log.body }).nth(1).click(PATIENCE);
      await dialog.getByText("marina").waitFor(PATIENCE);
    },
  },
  {
    name: "admin-webhook-delete",
    isVariant: true,
    who: "admin",
    open: (stage) => choose(stage, stage.text.webhooks.remove),
  },
];
