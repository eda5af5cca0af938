import { expect, test, vi } from "vitest";
import { screens } from "../testing/open-page.tsx";
import { panel, refused } from "../testing/panel.ts";
import { ApiError, api, askHealth, NoAnswer } from "./api.ts";
import { availability } from "./availability.ts";
import { person } from "./person.ts";
import { presence } from "./presence.ts";

screens();

test("a call carries the reader's language and whether a timer made it", async () => {
  document.documentElement.lang = "en";
  const { heard } = panel({});
  await api("GET /maintenance", { background: true });
  await api("GET /maintenance");
  expect(heard.map(({ headers }) => headers.get("accept-language"))).toEqual(["en", "en"]);
  expect(heard.map(({ headers }) => headers.get("x-background"))).toEqual(["1", null]);
});

test("reads on an untouched page count as a timer's, whatever made them; changes always count as a person's", async () => {
  const { heard } = panel({ "POST /auth/check-invite": { valid: true } });
  const now = vi.spyOn(performance, "now").mockReturnValue(0);
  const stop = presence.watch();
  await api("GET /maintenance");
  now.mockReturnValue(10_000);
  await api("GET /maintenance");
  await api("POST /auth/check-invite", { body: { code: "K7MPHW" } });
  window.dispatchEvent(new Event("keydown"));
  await api("GET /maintenance");
  expect(heard.map(({ headers }) => headers.get("x-background"))).toEqual([null, "1", null, null]);
  stop();
  now.mockRestore();
});

test("a refusal keeps its status, code and words", async () => {
  panel({ "POST /auth/check-invite": refused(400, "invite.wrong_code", "Неверный код приглашения") });
  const error = await api("POST /auth/check-invite", { body: { code: "K7MPHW" } }).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(ApiError);
  expect(error).toMatchObject({ status: 400, code: "invite.wrong_code", message: "Неверный код приглашения" });
});

test("a call may take 30 s, the health check 5 s (specification, member's side 9)", async () => {
  panel({});
  const limits = vi.spyOn(AbortSignal, "timeout");
  await api("GET /maintenance");
  await askHealth();
  expect(limits.mock.calls).toEqual([[30_000], [5_000]]);
  limits.mockRestore();
});

test("a value in a path cannot break out of it", async () => {
  const { heard } = panel({});
  await api("GET /vpn/configs/{id}/stats", { params: { id: "../../users?x=1" } }).catch(() => {});
  expect(heard[0]?.path).toBe("/vpn/configs/..%2F..%2Fusers%3Fx%3D1/stats");
});

test("when no answer comes at all, the browser's stored data is cleared, save theme, language and emoji", async () => {
  for (const key of ["krug.theme", "krug.language", "epr_suggested", "maintenanceMode", "else"]) {
    localStorage.setItem(key, "1");
  }
  panel({ "GET /maintenance": "silence" });
  await expect(api("GET /maintenance")).rejects.toBeInstanceOf(NoAnswer);
  expect(Object.keys(localStorage).sort()).toEqual(["epr_suggested", "krug.language", "krug.theme"]);
});

test("while the panel is silent each call checks its health first and is refused; calls go through once it is back", async () => {
  const { say, asked } = panel({ "GET /maintenance": "silence", "GET /health": "silence" });
  await api("GET /maintenance").catch(() => {});
  await expect(api("GET /maintenance")).rejects.toThrow("API is not available");
  expect(asked("GET /maintenance")).toHaveLength(1);
  say({ "GET /maintenance": { enabled: false, since: null }, "GET /health": refused(503, "starting") });
  await expect(api("GET /maintenance")).resolves.toEqual({ enabled: false, since: null });
  expect(availability.isUp()).toBe(true);
});

test("what has not changed is not sent again, and the next person starts without it", async () => {
  const off = { enabled: false, since: null };
  const { heard, say } = panel({ "GET /maintenance": off });
  const first = await api("GET /maintenance");
  expect(await api("GET /maintenance")).toBe(first);
  say({ "GET /maintenance": { enabled: true, since: null } });
  expect(await api("GET /maintenance")).toEqual({ enabled: true, since: null });
  person.is("anna");
  person.is("boris");
  await api("GET /maintenance");
  expect(heard.map(({ headers }) => headers.has("if-none-match"))).toEqual([false, true, true, false]);
});

test("a gateway's error for a panel that is down does not count as an answer", async () => {
  vi.stubGlobal("fetch", async () => new Response("<html>Bad gateway</html>", { status: 502 }));
  await expect(api("GET /maintenance")).rejects.toBeInstanceOf(NoAnswer);
});
