import { screen, waitFor, within } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { openPage, screens } from "../../../testing/open-page.tsx";
import { type Panel, panel, refused } from "../../../testing/panel.ts";
import { inDays, member, uuid, wgInterface } from "../../../testing/samples.ts";
import { useOutboxWords } from "../outbox/index.ts";
import { usePushWords } from "./words.ts";

screens();

/** As the page is searched: words are tied by non-breaking spaces. */
const said = (text: string) => text.replace(/\s/g, " ");
const words = usePushWords.ru;
const KEY = `B${"k".repeat(86)}`;
const KEYS = { p256dh: `B${"p".repeat(86)}`, auth: "a".repeat(22) };
const browser = (n: number, device: string | null, current = false) => ({
  id: uuid(700 + n),
  device,
  createdAt: inDays(-n),
  current,
});
const here = browser(1, "Chrome, Windows", true);
const phone = browser(2, "Safari, iPhone");
const choices = {
  subscription: true,
  devices: true,
  connections: false,
  support: true,
  club: true,
  servers: true,
  tickets: true,
  claims: true,
  chats: true,
  joining: true,
  digest: false,
};
const linked = {
  telegramConnected: true,
  enabled: true,
  required: false,
  botName: "krug_club_bot",
  account: "@marina",
  botBlocked: false,
};

interface Can {
  permission?: NotificationPermission;
  /** What the person answers. */
  answers?: NotificationPermission;
  subscribed?: boolean;
  /** The browser vendor's push service does not answer. */
  fails?: boolean;
}

afterEach(() => {
  vi.unstubAllGlobals();
  for (const name of ["serviceWorker", "standalone"]) Reflect.deleteProperty(navigator, name);
});

/** A browser with push, and what happened to it. */
function browserCan({ permission = "default", answers = "granted", subscribed = false, fails = false }: Can = {}) {
  const state = { subscription: null as object | null, keys: [] as unknown[], ended: 0, closed: 0, asked: 0 };
  const make = () => ({
    toJSON: () => ({ endpoint: "https://push.example/1", keys: KEYS, expirationTime: null }),
    unsubscribe: async () => {
      state.ended += 1;
      state.subscription = null;
    },
  });
  if (subscribed) state.subscription = make();
  const registration = {
    pushManager: {
      getSubscription: async () => state.subscription,
      subscribe: async ({ applicationServerKey }: { applicationServerKey: string }) => {
        state.keys.push(applicationServerKey);
        if (fails) throw new DOMException("Registration failed - push service error", "AbortError");
        state.subscription = make();
        return state.subscription;
      },
    },
    getNotifications: async () => [{ close: () => (state.closed += 1) }],
  };
  const serviceWorker = {
    ready: Promise.resolve(registration),
    register: async () => registration,
    getRegistration: async () => registration,
  };
  Object.defineProperty(navigator, "serviceWorker", { value: serviceWorker, configurable: true });
  vi.stubGlobal("PushManager", class {});
  const notification = {
    permission,
    requestPermission: async () => {
      state.asked += 1;
      notification.permission = answers;
      return answers;
    },
  };
  vi.stubGlobal("Notification", notification);
  return state;
}

async function open(says: Panel = {}, me = member()) {
  const club = panel({
    "GET /auth/me": me,
    "GET /vpn/configs": [],
    "GET /vpn/available-interfaces": [wgInterface()],
    "GET /auth/sessions": [],
    "GET /push": { publicKey: KEY, browsers: [] },
    "GET /inbox/choices": choices,
    ...says,
  });
  const page = openPage("/dashboard");
  await page.user.click(await screen.findByRole("button", { name: "Настройки" }));
  const dialog = within(await screen.findByRole("dialog", { name: "Настройки" }));
  return { ...club, ...page, dialog };
}

type Dialog = Awaited<ReturnType<typeof open>>["dialog"];
const theSwitch = (dialog: Dialog) => dialog.findByLabelText<HTMLInputElement>(said(words.here));

test("off until turned on: nothing is requested of the browser before that press", async () => {
  const state = browserCan();
  const { dialog, user, asked, say } = await open({
    "POST /push": { publicKey: KEY, browsers: [here] },
  });
  const box = await theSwitch(dialog);
  expect(box.checked).toBe(false);
  expect([state.asked, state.keys]).toEqual([0, []]);
  expect(dialog.getByText(said(words.leadOff))).toBeTruthy();
  say({ "GET /push": { publicKey: KEY, browsers: [here] }, "PUT /push/current": { here: true } });
  await user.click(box);
  await waitFor(() => expect(box.checked).toBe(true));
  expect([state.asked, state.keys]).toEqual([1, [KEY]]);
  expect(asked("POST /push").map(({ body }) => body)).toEqual([
    { endpoint: "https://push.example/1", keys: KEYS, language: "ru" },
  ]);
  expect(await dialog.findByText(said(useOutboxWords.ru.choose)), "now there is something to choose").toBeTruthy();
});

test("turning it off removes it from the panel first and then from the browser", async () => {
  const state = browserCan({ permission: "granted", subscribed: true });
  const { dialog, user, heard, say } = await open({
    "GET /push": { publicKey: KEY, browsers: [here] },
    "PUT /push/current": { here: true },
    "DELETE /push/{id}": undefined,
  });
  const box = await theSwitch(dialog);
  expect(box.checked).toBe(true);
  say({ "GET /push": { publicKey: KEY, browsers: [] } });
  await user.click(box);
  await waitFor(() => expect(state.ended).toBe(1));
  expect(heard.some(({ key, path }) => key === "DELETE /push/{id}" && path === `/push/${here.id}`)).toBe(true);
  await waitFor(() => expect(box.checked).toBe(false));
});

test("another member's subscription on this browser ends, and it is off for this one", async () => {
  const state = browserCan({ permission: "granted", subscribed: true });
  const { dialog, asked } = await open({ "PUT /push/current": { here: false } });
  expect((await theSwitch(dialog)).checked).toBe(false);
  expect(asked("PUT /push/current")[0]?.headers.get("x-background"), "it prolongs no session").toBe("1");
  await waitFor(() => expect(state.ended).toBeGreaterThan(0));
});

test("if notifications are blocked, the part says what to do and asks for nothing", async () => {
  const state = browserCan({ permission: "denied" });
  const { dialog } = await open();
  expect((await theSwitch(dialog)).disabled).toBe(true);
  expect(dialog.getByText(said(words.denied))).toBeTruthy();
  expect(state.asked).toBe(0);
});

test("refusing the browser's question shows what to do; only closing it shows something else", async () => {
  browserCan({ answers: "denied" });
  const { dialog, user } = await open();
  await user.click(await theSwitch(dialog));
  expect(await dialog.findByText(said(words.denied))).toBeTruthy();
  expect(dialog.queryByText(said(words.notGiven))).toBeNull();
});

test("after closing the question a person can ask again", async () => {
  browserCan({ answers: "default" });
  const { dialog, user, asked } = await open();
  const box = await theSwitch(dialog);
  await user.click(box);
  expect(await dialog.findByText(said(words.notGiven))).toBeTruthy();
  expect(box.disabled).toBe(false);
  expect(asked("POST /push")).toEqual([]);
});

test("a browser that cannot reach its push service says so", async () => {
  browserCan({ fails: true });
  const { dialog, user } = await open();
  await user.click(await theSwitch(dialog));
  expect(await dialog.findByText(said(words.noService))).toBeTruthy();
});

test("a subscription that the panel refuses ends in the browser too", async () => {
  const state = browserCan();
  const { dialog, user } = await open({
    "POST /push": refused(409, "push.too_many", "Уведомления уже включены в 10 браузерах."),
  });
  await user.click(await theSwitch(dialog));
  expect(await dialog.findByText("Уведомления уже включены в 10 браузерах.")).toBeTruthy();
  expect(state.ended).toBe(1);
});

test("a browser without push says so; an iPhone says where it works", async () => {
  const { dialog } = await open();
  expect(await dialog.findByText(said(words.unsupported))).toBeTruthy();
  expect(dialog.queryByLabelText(said(words.here))).toBeNull();
});

test("an iPhone needs the page on its home screen first", async () => {
  Object.defineProperty(navigator, "standalone", { value: false, configurable: true });
  const { dialog } = await open();
  expect(await dialog.findByText(said(words.homeScreen))).toBeTruthy();
});

test("other browsers are listed with their day, and each can be removed", async () => {
  browserCan();
  const unnamed = browser(3, null);
  const { dialog, user, heard, say } = await open({
    "GET /push": { publicKey: KEY, browsers: [phone, unnamed] },
    "DELETE /push/{id}": undefined,
  });
  await dialog.findByText(said(words.others));
  expect(dialog.getByText(said(words.unknown))).toBeTruthy();
  say({ "GET /push": { publicKey: KEY, browsers: [unnamed] } });
  await user.click(dialog.getByRole("button", { name: /^Убрать: Safari, iPhone/ }));
  await waitFor(() => expect(dialog.queryByText("Safari, iPhone")).toBeNull());
  expect(heard.some(({ key, path }) => key === "DELETE /push/{id}" && path === `/push/${phone.id}`)).toBe(true);
  expect(document.activeElement?.textContent).toBe(words.title);
});

test("a club without push and a member without Telegram have nothing to choose", async () => {
  browserCan();
  const { dialog, asked } = await open({ "GET /push": { publicKey: null, browsers: [] } });
  await dialog.findByText("Активные входы");
  await waitFor(() => expect(asked("GET /push")).toHaveLength(1));
  expect(dialog.queryByText(said(words.title))).toBeNull();
});

test("one press chooses a kind for all channels; a refusal leaves it unchanged", async () => {
  const { dialog, user, asked, say } = await open({
    "GET /push": { publicKey: null, browsers: [] },
    "GET /auth/telegram/status": linked,
    "PUT /inbox/choices": { ...choices, devices: false },
  });
  const devices = await dialog.findByLabelText<HTMLInputElement>("Что сделали с моими устройствами");
  expect(dialog.queryByLabelText(said(words.here))).toBeNull();
  expect(devices.checked).toBe(true);
  expect(dialog.queryByLabelText("Серверы и адреса"), "it is for staff").toBeNull();
  await user.click(devices);
  await waitFor(() => expect(devices.checked).toBe(false));
  expect(asked("PUT /inbox/choices").map(({ body }) => body)).toEqual([{ devices: false }]);
  say({ "PUT /inbox/choices": refused(500, "internal", "Внутренняя ошибка.") });
  await user.click(dialog.getByLabelText("Технические работы"));
  await dialog.findByText(/Внутренняя ошибка/);
  expect(dialog.getByLabelText<HTMLInputElement>("Технические работы").checked).toBe(true);
});

test("after a switch of language, notices here use the new one", async () => {
  browserCan({ permission: "granted", subscribed: true });
  const { dialog, user, asked } = await open({
    "GET /push": { publicKey: KEY, browsers: [here] },
    "PUT /push/current": { here: true },
  });
  await theSwitch(dialog);
  await user.click(dialog.getByLabelText("English"));
  await waitFor(() =>
    expect(asked("PUT /push/current").map(({ body }) => (body as { language: string }).language)).toContain("en"),
  );
});

test("signing out ends notices here, and closes those shown", async () => {
  const state = browserCan({ permission: "granted", subscribed: true });
  const { user } = await open({
    "PUT /push/current": { here: true },
    "POST /auth/logout": undefined,
  });
  await user.keyboard("{Escape}");
  await waitFor(() => expect(screen.queryByRole("dialog", { name: "Настройки" })).toBeNull());
  await user.click(await screen.findByRole("button", { name: /Выйти/ }));
  await waitFor(() => expect([state.ended, state.closed]).toEqual([1, 1]));
});

test("after a sign-in the dashboard reports that this browser is still used", async () => {
  browserCan({ permission: "granted", subscribed: true });
  const { asked } = panel({
    "GET /auth/me": member(),
    "GET /vpn/configs": [],
    "GET /vpn/available-interfaces": [wgInterface()],
    "PUT /push/current": { here: true },
  });
  openPage("/dashboard");
  await waitFor(() => expect(asked("PUT /push/current")).toHaveLength(1), { timeout: 5_000 });
});
