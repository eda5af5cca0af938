import { act, fireEvent, screen, within } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { openPage, screens } from "../testing/open-page.tsx";
import { panel } from "../testing/panel.ts";
import { config, member, wgInterface } from "../testing/samples.ts";

/** Times given by the specification (member's side 9) that no other screen test checks. */
screens();
afterEach(() => vi.useRealTimers());

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));

const stats = { lastHandshake: null, dataReceived: 0, dataSent: 0, speed: null };
const says = {
  "GET /auth/me": member(),
  "GET /vpn/configs": [config()],
  "GET /vpn/available-interfaces": [wgInterface()],
  "GET /vpn/configs/{id}/stats": stats,
  "GET /vpn/stats": [],
  "GET /vpn/traffic": { from: "2026-10-23", to: "2026-11-21", configs: [] },
  "POST /users/change-password": { success: true as const },
};

/** Loads the code of the page and of its dialogs before the clock is faked. */
async function open() {
  await Promise.all([
    import("./dashboard.tsx"),
    import("./api-status.tsx"),
    import("../features/vpn/configs/weather.tsx"),
    import("../features/vpn/configs/live-cards.tsx"),
    import("../features/members/members/settings-dialog.tsx"),
  ]);
  vi.useFakeTimers({ shouldAdvanceTime: true });
  const club = panel(says);
  const page = openPage("/dashboard");
  await pass(SECOND);
  await screen.findByRole("article", { name: "iphone-marina" });
  return { ...club, ...page };
}

test("a card requests its totals every five minutes, the list for all of them every ten", async () => {
  const { asked } = await open();
  const counts = () => [asked("GET /vpn/configs/{id}/stats").length, asked("GET /vpn/configs").length];
  expect(counts()).toEqual([0, 1]);
  await pass(4.5 * MINUTE);
  expect(counts()).toEqual([0, 1]);
  await pass(MINUTE);
  expect(counts()).toEqual([1, 1]);
  await pass(5 * MINUTE);
  expect(counts()).toEqual([2, 2]);
});

test("a handshake shows on its card within 15 seconds while the page is visible, and a hidden page requests nothing", async () => {
  const { asked, say } = await open();
  const card = within(screen.getByRole("article", { name: "iphone-marina" }));
  card.getByText("Ещё не подключался");
  const used = { id: config().id, lastHandshake: Date.now(), dataReceived: 4_096, dataSent: 1_024 };
  say({ "GET /vpn/stats": [{ ...used, speed: { received: 1_500_000, sent: 50_000 }, serverAwaySince: null }] });
  await pass(9 * SECOND);
  card.getByText(/^На связи, .* · 12 Мбит\/с$/);
  say({ "GET /vpn/stats": [{ ...used, speed: { received: 0, sent: 0 }, serverAwaySince: null }] });
  await pass(9 * SECOND);
  card.getByText(/^На связи, [^·]*$/);

  // Its server goes down: its card and the page say so by themselves.
  const since = new Date().toISOString();
  const { id: _, ...seen } = used;
  const away = { serverAwaySince: since };
  say({
    "GET /vpn/configs": [config({ stats: seen, ...away })],
    "GET /vpn/stats": [{ ...used, speed: null, ...away }],
  });
  await pass(9 * SECOND);
  card.getByText("Сервер не отвечает");
  screen.getByText(/^Хельсинки не\sотвечает с\s\d\d:\d\d, чиним$/);
  say({
    "GET /vpn/configs": [config({ stats: seen })],
    "GET /vpn/stats": [{ ...used, speed: null, serverAwaySince: null }],
  });
  await pass(9 * SECOND);
  card.getByText(/^На связи, [^·]*$/);
  expect(screen.queryByText(/чиним/)).toBeNull();

  // Its bytes are today's: the card stops saying that there were none this month.
  expect(asked("GET /vpn/traffic")).toHaveLength(2);
  await pass(MINUTE);
  expect(asked("GET /vpn/traffic"), "once, and not at each look").toHaveLength(2);

  const hidden = vi.spyOn(document, "visibilityState", "get").mockReturnValue("hidden");
  document.dispatchEvent(new Event("visibilitychange"));
  const before = asked("GET /vpn/stats").length;
  await pass(MINUTE);
  expect(asked("GET /vpn/stats")).toHaveLength(before);
  hidden.mockRestore();
  document.dispatchEvent(new Event("visibilitychange"));
  await pass(9 * SECOND);
  expect(asked("GET /vpn/stats").length).toBeGreaterThan(before);
});

test("an untouched open page soon requests no more than specified, until somebody touches it", async () => {
  const { asked } = await open();
  const live = () => asked("GET /vpn/stats").length;
  await pass(10 * MINUTE);
  expect(live(), "live for the first two minutes").toBeGreaterThan(14);
  expect(live()).toBeLessThan(19);
  expect(asked("GET /vpn/configs/{id}/stats").length, "then each card every five minutes").toBeGreaterThan(0);
  expect(asked("GET /vpn/configs/{id}/stats").length).toBeLessThan(3);
  const before = live();
  fireEvent.pointerDown(document.body);
  await pass(SECOND);
  expect(live(), "at once").toBe(before + 1);
  await pass(20 * SECOND);
  expect(live(), "and live again").toBeGreaterThan(before + 2);
});

test("after a password change the settings stay for two seconds, so that the message can be read", async () => {
  await open();
  await act(async () => screen.getByRole("button", { name: "Настройки" }).click());
  await pass(SECOND);
  const fill = (label: string, text: string) => {
    fireEvent.change(screen.getByLabelText(label), { target: { value: text } });
  };
  fill("Текущий пароль", "the old one");
  fill("Новый пароль", "the new one");
  fill("Повторите новый пароль", "the new one");
  await act(async () => screen.getByRole("button", { name: "Сменить пароль" }).click());
  await pass(100);
  expect(screen.getByText("Пароль изменён. Другие входы завершены.")).toBeTruthy();
  await pass(1.5 * SECOND);
  expect(screen.getByText("Пароль изменён. Другие входы завершены.")).toBeTruthy();
  await pass(SECOND);
  expect(screen.queryByText("Пароль изменён. Другие входы завершены.")).toBeNull();
});
