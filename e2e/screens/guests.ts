import { fail, intercept, refuse, say, silence } from "./answers.ts";
import { underAName } from "./passkeys.ts";
import { PATIENCE, type Screen, type Stage } from "./stage.ts";

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

const HANDED_FILE = `[Interface]
PrivateKey = yAnz5TF+lXXJte14tji3zlMNq+hd2rYUIgJBgB3fBmk=
Address = 10.8.0.7/32
DNS = 1.1.1.1

[Peer]
PublicKey = xTIBA5rboUvnH4htodjb6e697QjLERt1NAB4mZqp8Dg=
AllowedIPs = 0.0.0.0/0, ::/0
Endpoint = 198.51.100.7:51820
`;

async function openHanded({ page, text }: Stage, deviceType: "phone" | "computer") {
  const tunnel = { type: "wireguard", version: null } as const;
  await say(page, "POST /vpn/open-link", { name: deviceType, deviceType, tunnel, config: HANDED_FILE });
  await page.goto("/config#token=one-time");
  await page.getByRole("button", { name: text.handed.open }).click(PATIENCE);
  await page.getByText(text.handed.once).waitFor(PATIENCE);
}

/** Before sign-in: the entrance, the gate, registration, links. */
export const guestScreens: Screen[] = [
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
    name: "login-passkey",
    isVariant: true,
    who: null,
    async open({ page, text }) {
      await page.goto("/login");
      await page.getByRole("link", { name: "@krug_help" }).waitFor(PATIENCE);
      await underAName(page);
      await page.getByRole("button", { name: text.login.byPasskey }).waitFor(PATIENCE);
    },
  },
  {
    name: "login-refused",
    isVariant: true,
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
    name: "login-blocked",
    isComposed: true,
    who: null,
    async open(stage) {
      const { page, text } = stage;
      await refuse(stage, "POST /auth/login", "member.blocked");
      await page.goto("/login");
      await page.getByLabel(text.account.username).fill("marina");
      await page.getByLabel(text.account.password, { exact: true }).fill("a phrase of one's own");
      await page.getByRole("button", { name: text.login.submit }).click();
      await page.getByRole("alert").getByRole("link", { name: "@krug_help" }).waitFor(PATIENCE);
    },
  },
  {
    name: "login-incomplete",
    isVariant: true,
    who: null,
    async open({ page, text }) {
      await page.goto("/login");
      await page.getByRole("button", { name: text.login.submit }).click();
      await page.getByText(text.account.passwordMissing).waitFor(PATIENCE);
    },
  },
  {
    name: "login-lost",
    isComposed: true,
    who: null,
    async open({ page, text }) {
      await page.goto("/login");
      await page.getByRole("button", { name: text.login.lost }).click(PATIENCE);
      await page.getByRole("button", { name: text.lost.send }).waitFor(PATIENCE);
    },
  },
  {
    name: "login-lost-sent",
    isVariant: true,
    who: null,
    async open({ page, text }) {
      await intercept(page, "POST /auth/lost-device", { status: 204, json: null });
      await page.goto("/login");
      await page.getByRole("button", { name: text.login.lost }).click(PATIENCE);
      const dialog = page.getByRole("dialog");
      await dialog.getByLabel(text.account.username).fill("marina");
      await dialog.getByRole("button", { name: text.lost.send }).click(PATIENCE);
      await dialog.getByText(text.lost.sentNext).waitFor(PATIENCE);
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
    isComposed: true,
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
    isVariant: true,
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
    isComposed: true,
    who: null,
    async open({ page, text }) {
      await say(page, "GET /maintenance", { enabled: true, since: new Date().toISOString() });
      await page.goto("/register");
      await page.getByRole("heading", { name: text.register.closedTitle }).waitFor(PATIENCE);
    },
  },
  {
    name: "setup",
    isComposed: true,
    who: null,
    async open({ page, text }) {
      await page.goto("/setup#token=one-time");
      await page.getByRole("button", { name: text.setup.submit }).waitFor(PATIENCE);
    },
  },
  {
    name: "setup-without-key",
    isComposed: true,
    who: null,
    async open({ page, text }) {
      await page.goto("/setup");
      await page.getByText(text.setup.noToken).waitFor(PATIENCE);
    },
  },
  {
    name: "new-password",
    isComposed: true,
    who: null,
    async open({ page, text }) {
      await page.goto("/password#user=marina&token=one-time");
      await page.getByRole("button", { name: text.setPassword.submit }).waitFor(PATIENCE);
    },
  },
  {
    name: "new-password-used-link",
    isVariant: true,
    who: null,
    async open(stage) {
      const { page, text } = stage;
      await refuse(stage, "POST /auth/set-password", "auth.link_invalid");
      await page.goto("/password#user=marina&token=one-time");
      await page.getByLabel(text.account.password, { exact: true }).fill("a phrase of one's own");
      await page.getByLabel(text.account.repeat).fill("a phrase of one's own");
      await page.getByRole("button", { name: text.setPassword.submit }).click();
      await page.getByText(text.setPassword.usedHint).waitFor(PATIENCE);
    },
  },
  {
    name: "handed-config",
    who: null,
    async open({ page, text }) {
      await page.goto("/config#token=one-time");
      await page.getByRole("button", { name: text.handed.open }).waitFor(PATIENCE);
    },
  },
  { name: "handed-config-phone", isVariant: true, who: null, open: (stage) => openHanded(stage, "phone") },
  { name: "handed-config-computer", isComposed: true, who: null, open: (stage) => openHanded(stage, "computer") },
  {
    name: "handed-config-used-link",
    isVariant: true,
    who: null,
    async open(stage) {
      const { page, text } = stage;
      await refuse(stage, "POST /vpn/open-link", "auth.link_invalid");
      await page.goto("/config#token=one-time");
      await page.getByRole("button", { name: text.handed.open }).click(PATIENCE);
      await page.getByText(text.handed.usedHint).waitFor(PATIENCE);
    },
  },
  {
    name: "missing",
    isComposed: true,
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
    isVariant: true,
    who: null,
    open: (stage) => atGate(stage, { country: "UA" }, { proxy: false, vpn: false }),
  },
  {
    name: "gate-vpn",
    isVariant: true,
    who: null,
    open: (stage) => atGate(stage, { country: "RU" }, { proxy: false, vpn: true }),
  },
  {
    name: "gate-failed",
    isVariant: true,
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
