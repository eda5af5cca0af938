import { act, screen } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { openPage, screens } from "../../../testing/open-page.tsx";
import { type Panel, panel, refused } from "../../../testing/panel.ts";
import { config, member, uuid, wgInterface } from "../../../testing/samples.ts";

screens();
beforeEach(() => void vi.useFakeTimers({ shouldAdvanceTime: true }));
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

const MINUTE_MS = 60_000;
const LIST = "GET /vpn/configs";
const CARD = "GET /vpn/configs/{id}/stats";
const stats = { lastHandshake: null, dataReceived: 0, dataSent: 0, speed: null };
const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));

async function open(says: Panel = {}) {
  const club = panel({
    "GET /auth/me": member(),
    [LIST]: [config()],
    "GET /vpn/available-interfaces": [wgInterface()],
    "GET /vpn/traffic": { from: "2026-10-23", to: "2026-11-21", configs: [] },
    [CARD]: stats,
    ...says,
  });
  openPage("/dashboard");
  await screen.findByRole("article", { name: "iphone-marina" });
  return { ...club, times: () => [club.asked(LIST).length, club.asked(CARD).length] };
}

function look(at: "visible" | "hidden") {
  vi.spyOn(document, "visibilityState", "get").mockReturnValue(at);
  act(() => void window.dispatchEvent(new Event("visibilitychange")));
}

test("a card refreshes every five minutes and the list every ten, by a timer that keeps no session alive", async () => {
  const { times, asked } = await open();
  expect(times()).toEqual([1, 0]);
  await pass(5 * MINUTE_MS + 1000);
  expect(times()).toEqual([1, 1]);
  await pass(5 * MINUTE_MS);
  expect(times()).toEqual([2, 2]);
  for (const call of [...asked(LIST).slice(1), ...asked(CARD)]) expect(call.headers.get("x-background")).toBe("1");
});

test("every card makes its own requests", async () => {
  const { asked } = await open({ [LIST]: [config(), config({ id: uuid(21), name: "laptop" })] });
  await pass(5 * MINUTE_MS + 1000);
  expect(asked(CARD).map(({ path }) => path)).toEqual([
    `/vpn/configs/${uuid(20)}/stats`,
    `/vpn/configs/${uuid(21)}/stats`,
  ]);
});

test("a card shows what it fetches", async () => {
  const { say } = await open();
  say({ [CARD]: { lastHandshake: Date.now() + 4 * MINUTE_MS, dataReceived: 2048, dataSent: 1024, speed: null } });
  await pass(5 * MINUTE_MS + 1000);
  expect(screen.getByText(/^На связи, /)).toBeTruthy();
  expect(screen.getByTitle("Входящий трафик").textContent).toBe("Входящий трафик: 2,0\u00a0KB");
});

test("a 404 ends a card's polling", async () => {
  const { asked } = await open({ [CARD]: refused(404, "config.not_found", "Конфигурация не найдена.") });
  await pass(5 * MINUTE_MS + 1000);
  expect(asked(CARD)).toHaveLength(1);
  await pass(16 * MINUTE_MS);
  expect(asked(CARD)).toHaveLength(1);
});

test("a hidden page requests nothing, and asks at once when it is visible again", async () => {
  const { times } = await open();
  look("hidden");
  await pass(25 * MINUTE_MS);
  expect(times()).toEqual([1, 0]);
  look("visible");
  await pass(1000);
  expect(times()).toEqual([2, 1]);
});

test("while a change waits for its server the list is fetched every five seconds, until it is applied", async () => {
  const { say, asked } = await open({ [LIST]: [config({ state: "pending" })] });
  await pass(5_100);
  expect(asked(LIST)).toHaveLength(2);
  say({ [LIST]: [config()] });
  await pass(5_100);
  expect(screen.getByText("Ещё не подключался")).toBeTruthy();
  await pass(MINUTE_MS);
  expect(asked(LIST)).toHaveLength(3);
});
