import { bot, intercept, refuse, say } from "./answers.ts";
import { inHand } from "./in-hand.ts";
import { devices } from "./open-dashboard.ts";
import { somePasskeys, underAName } from "./passkeys.ts";
import { PATIENCE, type Screen, type Stage } from "./stage.ts";

async function settings(stage: Stage) {
  await devices(stage);
  await stage.page.getByRole("button", { name: stage.text.dashboard.settings }).click(PATIENCE);
  await stage.page.getByRole("button", { name: stage.text.settings.save }).waitFor(PATIENCE);
}

async function settingsWithPasskeys(stage: Stage) {
  const { page, text } = stage;
  await somePasskeys(page, "127.0.0.1");
  await devices(stage);
  await underAName(page);
  await page.getByRole("button", { name: text.dashboard.settings }).click(PATIENCE);
  await page.getByRole("button", { name: text.passkeys.removeOf("Chrome, Android") }).waitFor(PATIENCE);
  await page.getByRole("button", { name: text.passkeys.make }).scrollIntoViewIfNeeded(PATIENCE);
}

/** The bind prompt, with a code valid for this many seconds. */
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

/** Settings, sessions, Telegram. */
export const settingsScreens: Screen[] = [
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
    isComposed: true,
    who: "marina",
    async open(stage) {
      const { page, text } = stage;
      await settings(stage);
      await page.getByRole("button", { name: text.ownAccount.dataExport.download }).scrollIntoViewIfNeeded(PATIENCE);
      await page.getByRole("button", { name: text.ownAccount.sessions.endOthers }).waitFor(PATIENCE);
    },
  },
  { name: "settings-passkeys", who: "marina", open: settingsWithPasskeys },
  {
    name: "settings-passkeys-none",
    isVariant: true,
    who: "marina",
    async open(stage) {
      await settings(stage);
      await stage.page.getByText(stage.text.passkeys.noPlace).scrollIntoViewIfNeeded(PATIENCE);
    },
  },
  {
    name: "settings-passkey-new",
    isComposed: true,
    who: "marina",
    async open(stage) {
      await settingsWithPasskeys(stage);
      await stage.page.getByRole("button", { name: stage.text.passkeys.make }).click(PATIENCE);
      await stage.page.getByRole("textbox", { name: stage.text.passkeys.add.name, exact: true }).waitFor(PATIENCE);
    },
  },
  {
    name: "settings-passkey-remove",
    isComposed: true,
    who: "marina",
    async open(stage) {
      const { page, text } = stage;
      await settingsWithPasskeys(stage);
      await page.getByRole("button", { name: text.passkeys.removeOf("Chrome, Android") }).click(PATIENCE);
      await page.getByRole("dialog", { name: text.passkeys.removing.title("Chrome, Android") }).waitFor(PATIENCE);
    },
  },
  {
    name: "settings-api-tokens",
    who: "marina",
    async open(stage) {
      const { page, text } = stage;
      await say(page, "GET /api-tokens", [
        {
          id: "0f7c1c1e-54a5-4b7a-9a3e-2b1f6f0c9d12",
          name: "Домашний роутер",
          scopes: ["configs:read", "configs:files"],
          createdAt: "2026-11-03T10:00:00Z",
          expiresAt: "2027-02-01T10:00:00Z",
          lastUsedAt: null,
        },
      ]);
      await settings(stage);
      await page.getByRole("button", { name: text.apiTokens.make }).scrollIntoViewIfNeeded(PATIENCE);
      await page.getByText("Домашний роутер").waitFor(PATIENCE);
    },
  },
  {
    name: "settings-api-token-new",
    isComposed: true,
    who: "marina",
    async open(stage) {
      const { page, text } = stage;
      await settings(stage);
      await page.getByText(text.apiTokens.title).click(PATIENCE);
      await page.getByRole("button", { name: text.apiTokens.make }).click(PATIENCE);
      await page.getByLabel(text.apiTokens.dialog.name).waitFor(PATIENCE);
    },
  },
  {
    name: "settings-api-token-made",
    who: "marina",
    async open(stage) {
      const { page, text } = stage;
      await intercept(page, "POST /auth/confirm-password", { status: 204, json: null });
      await say(page, "POST /api-tokens", {
        id: "0f7c1c1e-54a5-4b7a-9a3e-2b1f6f0c9d12",
        name: "Домашний роутер",
        scopes: ["configs:read"],
        createdAt: "2026-11-03T10:00:00Z",
        expiresAt: "2027-02-01T10:00:00Z",
        lastUsedAt: null,
        token: `krug_${"A1b2C3d4".repeat(5)}xyz`,
      });
      await settings(stage);
      await page.getByText(text.apiTokens.title).click(PATIENCE);
      await page.getByRole("button", { name: text.apiTokens.make }).click(PATIENCE);
      const dialog = page.getByRole("dialog", { name: text.apiTokens.dialog.title });
      await dialog.getByLabel(text.apiTokens.dialog.name).fill("Домашний роутер");
      await dialog.getByLabel(text.apiTokens.scopes["configs:read"]).check(PATIENCE);
      await dialog.getByLabel(text.apiTokens.dialog.password, { exact: true }).fill("correct horse battery");
      await dialog.getByRole("button", { name: text.apiTokens.dialog.create, exact: true }).click(PATIENCE);
      await page.getByRole("button", { name: text.apiTokens.shown.copy }).waitFor(PATIENCE);
    },
  },
  {
    name: "settings-end-sessions",
    isComposed: true,
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
    isComposed: true,
    who: "marina",
    async open(stage) {
      await bot(stage.page);
      await settings(stage);
      await stage.page.getByText(stage.text.telegram.whatForRequired).waitFor(PATIENCE);
    },
  },
  {
    name: "settings-telegram-linked",
    isComposed: true,
    who: "marina",
    async open(stage) {
      await bot(stage.page, { telegramConnected: true, account: "@marina_k" });
      await settings(stage);
      const last = stage.page.getByLabel(stage.text.outbox.groups.club);
      await last.waitFor(PATIENCE);
      await last.scrollIntoViewIfNeeded(PATIENCE);
    },
  },
  {
    name: "settings-notifications",
    who: "marina",
    async open(stage) {
      const browser = { id: "0f7c1c1e-54a5-4b7a-9a3e-2b1f6f0c9d11", device: "Chrome, Android", current: false };
      await say(stage.page, "GET /push", {
        publicKey: `B${"A".repeat(86)}`,
        browsers: [{ ...browser, createdAt: "2026-11-03T10:00:00Z" }],
      });
      await settings(stage);
      const last = stage.page.getByLabel(stage.text.outbox.groups.club);
      await last.waitFor(PATIENCE);
      await last.scrollIntoViewIfNeeded(PATIENCE);
    },
  },
  {
    name: "settings-telegram-blocked",
    isVariant: true,
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
    isVariant: true,
    who: "marina",
    async open(stage) {
      await inHand(stage);
      await (await linking(stage)).getByText(stage.text.telegram.leadHere).waitFor(PATIENCE);
    },
  },
  {
    name: "telegram-password",
    isVariant: true,
    who: "marina",
    async open(stage) {
      const { page, text } = stage;
      await bot(page);
      await refuse(stage, "POST /auth/telegram/generate-code", "auth.password_required");
      await page.goto("/dashboard");
      await page.getByRole("button", { name: text.dashboard.bind }).click(PATIENCE);
      await page.getByText(text.telegram.passwordLead).waitFor(PATIENCE);
    },
  },
  {
    name: "telegram-code-over",
    isVariant: true,
    who: "marina",
    async open(stage) {
      await (await linking(stage, -1)).getByText(stage.text.telegram.over).waitFor(PATIENCE);
    },
  },
  {
    name: "telegram-linked",
    isComposed: true,
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
    isVariant: true,
    who: "marina",
    async open(stage) {
      const dialog = await unlinkingTyped(stage, "ABCDEF");
      await dialog.getByText(stage.text.telegram.wrongCode).waitFor(PATIENCE);
    },
  },
  {
    name: "telegram-unlinked",
    isComposed: true,
    who: "marina",
    async open(stage) {
      const { page, text } = stage;
      await say(page, "POST /auth/telegram/unlink", { telegramConnected: false });
      // The dialog closes by itself; this keeps it open for the check.
      await page.clock.install();
      const dialog = await unlinkingTyped(stage, "K7MPHW");
      await dialog.getByText(text.telegram.unlinked).waitFor(PATIENCE);
    },
  },
];
