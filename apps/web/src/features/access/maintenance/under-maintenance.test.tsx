import { screen, waitFor } from "@testing-library/react";
import { expect, test } from "vitest";
import { openPage, screens } from "../../../testing/open-page.tsx";
import { panel, refused } from "../../../testing/panel.ts";
import { config, member, wgInterface } from "../../../testing/samples.ts";

screens();

const WORDS = "Система находится на техническом обслуживании. Попробуйте позже.";
const stop = refused(503, "maintenance.on", WORDS);
const running = {
  "GET /auth/me": member(),
  "GET /vpn/configs": [config()],
  "GET /vpn/available-interfaces": [wgInterface()],
};
const all = (said: typeof stop) => ({
  "GET /auth/me": said,
  "GET /vpn/configs": said,
  "GET /vpn/available-interfaces": said,
  "GET /maintenance": { enabled: true, since: null },
});
const over = { ...running, "GET /maintenance": { enabled: false, since: null } };

test("the maintenance page replaces a running session and disappears when it is over", async () => {
  const { say } = panel(running);
  const { user, address } = openPage("/dashboard");
  await screen.findByRole("article", { name: "iphone-marina" });
  say(all(stop));
  await user.click(screen.getByRole("button", { name: /Обновить список/ }));
  expect(await screen.findByRole("heading", { name: "Технические работы" })).toBeTruthy();
  expect(screen.getByText(WORDS)).toBeTruthy();
  expect(localStorage.getItem("maintenanceMode")).toBe("true");
  expect(address()).toBe("/dashboard");
  say(over);
  await user.click(screen.getByRole("button", { name: "Проверить сейчас" }));
  expect(await screen.findByRole("article", { name: "iphone-marina" })).toBeTruthy();
  await waitFor(() => expect(localStorage.getItem("maintenanceMode")).toBeNull());
});

test("a page opened meanwhile says so too, and opens by itself", async () => {
  const { say } = panel(all(stop));
  openPage("/dashboard");
  expect(await screen.findByRole("heading", { name: "Технические работы" })).toBeTruthy();
  say(over);
  expect(await screen.findByRole("article", { name: "iphone-marina" }, { timeout: 15_000 })).toBeTruthy();
}, 30_000);

test("a guest still finds the sign-in, with the banner", async () => {
  panel(all(stop));
  openPage("/login");
  expect(await screen.findByRole("button", { name: "Войти" })).toBeTruthy();
  expect(await screen.findByText(WORDS)).toBeTruthy();
  expect(screen.queryByRole("heading", { name: "Технические работы" })).toBeNull();
});
