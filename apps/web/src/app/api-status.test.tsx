import { act, screen } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { openPage, screens } from "../testing/open-page.tsx";
import { panel, refused } from "../testing/panel.ts";
import { member } from "../testing/samples.ts";

screens();
afterEach(() => vi.useRealTimers());

const SECOND = 1000;
const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));
const healthy = { status: "ok" as const };

/** Loads the code of the page and of the toast before the clock is faked. */
async function open(says: Parameters<typeof panel>[0]) {
  await import("./api-status.tsx");
  await import("../features/access/landing/landing.tsx");
  vi.useFakeTimers();
  const club = panel(says);
  openPage("/");
  return club;
}

test("it checks, reports that the panel answers, and disappears after ten seconds", async () => {
  let answer: (health: typeof healthy) => void = () => {};
  await open({ "GET /health": () => new Promise((resolve) => (answer = resolve)) });
  await pass(100);
  expect(screen.getByText("Проверяем связь с панелью...")).toBeTruthy();
  answer(healthy);
  await pass(100);
  expect(screen.getByText("Связь с панелью есть")).toBeTruthy();
  await pass(9 * SECOND);
  expect(screen.getByText("Связь с панелью есть")).toBeTruthy();
  await pass(2 * SECOND);
  expect(screen.queryByText("Связь с панелью есть")).toBeNull();
});

test("silence is retried twice, three seconds apart, and then shown with its reason and a retry button", async () => {
  const { asked, say } = await open({ "GET /health": "silence", "GET /auth/me": "silence" });
  await pass(100);
  expect(asked("GET /health")).toHaveLength(1);
  await pass(3 * SECOND);
  expect(asked("GET /health")).toHaveLength(2);
  expect(screen.getByText("Проверяем связь с панелью...")).toBeTruthy();
  await pass(3 * SECOND);
  expect(screen.getByText("Ошибка подключения к API: панель не отвечает")).toBeTruthy();
  say({ "GET /health": healthy });
  await act(async () => screen.getByRole("button", { name: "Повторить" }).click());
  await pass(100);
  expect(screen.getByText("Связь с панелью есть")).toBeTruthy();
});

test("a panel that answers but cannot serve is reported at once, with its status", async () => {
  const { asked, say } = await open({ "GET /health": refused(503, "failing") });
  await pass(100);
  expect(screen.getByText("Ошибка подключения к API: панель ответила кодом 503")).toBeTruthy();
  expect(asked("GET /health")).toHaveLength(1);
  // It is checked again soon, and nobody has to press anything.
  say({ "GET /health": healthy });
  await pass(6 * SECOND);
  expect(screen.queryByText(/Ошибка подключения/)).toBeNull();
});

test("the panel is checked every five minutes, and nothing is shown while all is well", async () => {
  const { asked } = await open({ "GET /health": healthy });
  await pass(11 * SECOND);
  expect(asked("GET /health")).toHaveLength(1);
  await pass(290 * SECOND);
  expect(asked("GET /health")).toHaveLength(2);
  expect(screen.queryByText("Связь с панелью есть")).toBeNull();
});

test("when the panel is back an open page notices by itself and retries what had failed", async () => {
  const { say } = panel({ "GET /auth/me": "silence", "GET /health": "silence", "GET /vpn/configs": [] });
  openPage("/dashboard");
  expect(await screen.findByRole("heading", { name: "Панель клуба не отвечает" })).toBeTruthy();
  say({ "GET /auth/me": member(), "GET /health": healthy, "GET /vpn/available-interfaces": [] });
  expect(await screen.findByRole("heading", { name: "Здравствуйте, Марина" }, { timeout: 15_000 })).toBeTruthy();
}, 30_000);
