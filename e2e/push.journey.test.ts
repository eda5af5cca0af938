import { beforeAll, expect, test, vi } from "vitest";
import { type Visitor, visit } from "./browser.ts";
import { browser, club, openClub } from "./club-in-browser.ts";
import { PATIENCE } from "./enter.ts";

/*
 * No push service is reachable from here, and a headless browser allows no notifications. So the browser's own tools deliver the
 * message, and its worker reports what it would show.
 */
openClub();
let marina: Visitor;
beforeAll(async () => {
  marina = await visit(browser, { screen: "phone", baseURL: club.url, worker: true });
  await marina.context.addCookies([{ name: "krug_session", value: await club.signIn("marina"), url: club.url }]);
  await marina.page.goto("/dashboard");
  await marina.page.evaluate(
    "navigator.serviceWorker.register('/worker.js').then(() => navigator.serviceWorker.ready)",
  );
});

test("the worker shows what the club sends, in its language, and a repeated notice replaces itself", async () => {
  const { page, context } = marina;
  const worker = context.serviceWorkers()[0] ?? (await context.waitForEvent("serviceworker", PATIENCE));
  await worker.evaluate(`
    self.shown = [];
    registration.showNotification = async (title, { body, tag, lang, data }) => void shown.push({ title, body, tag, lang, path: data.path });
  `);
  const cdp = await context.newCDPSession(page);
  const registered = new Promise<string>((resolve) =>
    cdp.on("ServiceWorker.workerRegistrationUpdated", ({ registrations: [registration] }) => {
      if (registration !== undefined) resolve(registration.registrationId);
    }),
  );
  await cdp.send("ServiceWorker.enable");
  const registrationId = await registered;
  const deliver = (data: string) =>
    cdp.send("ServiceWorker.deliverPushMessage", { origin: club.url, registrationId, data });
  await deliver(
    JSON.stringify({
      id: "one",
      title: "Подписка заканчивается",
      body: "До завтра.",
      path: "/dashboard",
      language: "ru",
    }),
  );
  // A browser ends a subscription whose message shows nothing.
  await deliver("not what the panel writes");
  await vi.waitFor(
    async () =>
      expect(await worker.evaluate("shown")).toEqual([
        { title: "Подписка заканчивается", body: "До завтра.", tag: "one", lang: "ru", path: "/dashboard" },
        { title: "Круг" },
      ]),
    PATIENCE,
  );

  await worker.evaluate("self.opened = []; clients.openWindow = async (path) => void opened.push(path)");
  const press = (path: string) =>
    worker.evaluate(`new Promise((resolve) => {
      const notification = { close() {}, data: { path: ${JSON.stringify(path)} } };
      const waitUntil = (work) => work.then(() => resolve("opened"), ({ message }) => resolve(message));
      dispatchEvent(Object.assign(new Event("notificationclick"), { notification, waitUntil }));
    })`);
  expect(await press("/admin/support")).toBe("opened");
  // In an open page, and never outside the club. Only a real press may bring it to the front.
  for (const path of ["/dashboard", "https://elsewhere.example/x"]) expect(await press(path)).toMatch(/focus a window/);
  expect(await worker.evaluate("opened")).toEqual(["/admin/support"]);
});
