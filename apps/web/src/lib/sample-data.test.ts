import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { screens } from "../testing/open-page.tsx";
import { panel, refused } from "../testing/panel.ts";
import { ApiError, api, apiPage, NoAnswer } from "./api.ts";
import { forgetWrites } from "./sample-data.ts";

screens();

const meta = document.createElement("meta");
meta.name = "sample-data";
const turn = (state: "on" | "off" | null) => {
  meta.remove();
  if (state === null) return;
  meta.content = state;
  document.head.append(meta);
};
beforeEach(() => void vi.spyOn(console, "warn").mockImplementation(() => {}));
afterEach(() => {
  forgetWrites();
  turn(null);
  vi.restoreAllMocks();
});

const stopPanel = () =>
  vi.stubGlobal("fetch", async () => {
    throw new TypeError("Failed to fetch");
  });

test.each(["off", null] as const)("with SAMPLE_DATA %s silence is shown as silence", async (state) => {
  turn(state);
  stopPanel();
  await expect(api("GET /users", { query: {} })).rejects.toBeInstanceOf(NoAnswer);
  await expect(apiPage("GET /services")).rejects.toBeInstanceOf(NoAnswer);
});

test("with it on, reads without an answer get samples, and that is logged", async () => {
  turn("on");
  stopPanel();
  const { rows, total, next } = await apiPage("GET /users", { query: {} });
  expect(rows.every(({ username }) => username.startsWith("sample-"))).toBe(true);
  expect([total, next]).toEqual([rows.length, null]);
  expect((await api("GET /services")).length).toBeGreaterThan(0);
  expect((await api("GET /dns")).length).toBeGreaterThan(0);
  expect(console.warn).toHaveBeenCalledWith("GET /users got no answer: sample data is shown");
});

test("the samples match the specification", async () => {
  turn("on");
  stopPanel();
  const DAY_MS = 86_400_000;
  const inDays = (iso: string | null) => Math.round((Date.parse(iso ?? "") - Date.now()) / DAY_MS);
  for (const { code } of await api("GET /admin/invite-codes", { query: {} })) expect(code).toMatch(/^[A-Z0-9]{6}$/);
  const [payment] = await api("GET /admin/payments/history/{period}", { params: { period: "2026-11" }, query: {} });
  expect(payment?.amount).toBe("10.99");
  expect(Math.round((Date.parse(payment?.dueDate ?? "") - Date.now()) / DAY_MS)).toBeLessThanOrEqual(15);
  expect(inDays((await api("GET /users", { query: {} }))[0]?.subscriptionEnd ?? null)).toBe(30);
  const servers = (await (api as (key: string) => Promise<unknown>)("GET /admin/servers")) as {
    credentials: { port: number };
  }[];
  expect(servers[0]?.credentials.port).toBe(3001);
});

test("some writes change only the samples", async () => {
  turn("on");
  stopPanel();
  const code = await api("POST /admin/invite-codes", { body: { interfaces: ["x"], subscriptionDays: 5 } });
  expect(code.code).toMatch(/^[A-Z0-9]{6}$/);
  expect((await api("GET /admin/invite-codes", { query: {} }))[0]).toEqual(code);
  const [, anna] = await api("GET /users", { query: {} });
  const { id } = anna ?? { id: "" };
  await api("PUT /users/{id}", { params: { id }, body: { vpnConfigLimit: 9 } });
  expect((await api("GET /users", { query: {} })).find((row) => row.id === id)?.vpnConfigLimit).toBe(9);
  expect(await api("DELETE /users/{id}", { params: { id } })).toBeUndefined();
  expect((await api("GET /users", { query: {} })).some((row) => row.id === id)).toBe(false);
});

test("rules are in their own list, and so is a new one", async () => {
  turn("on");
  stopPanel();
  const targets = async (type: "blacklist" | "whitelist", q = "") =>
    (await apiPage("GET /admin/rules", { query: { type, q } })).rows.map(({ target }) => target);
  expect([await targets("blacklist"), await targets("whitelist")]).toEqual([["198.51.100.0/24"], ["198.51.100.80"]]);
  const body = { type: "whitelist" as const, target: "example.org", appliesTo: ["x", "y"] };
  expect(await api("POST /admin/rules", { body })).toMatchObject({ memberCount: 2, domain: null });
  expect(await targets("whitelist")).toEqual(["example.org", "198.51.100.80"]);
  expect(await targets("whitelist", "EXAMPLE")).toEqual(["example.org"]);
  expect(await targets("blacklist")).toHaveLength(1);
});

test("two-factor is disabled and its codes are wrong; wrong invite codes are not counted", async () => {
  turn("on");
  stopPanel();
  const params = { id: "me" };
  expect(await api("GET /totp/{id}/status", { params })).toMatchObject({ enabled: false, secret: null });
  expect(await api("POST /totp/{id}/verify", { params, body: { token: "123456" } })).toMatchObject({ valid: false });
  expect(await api("GET /auth/invite-attempts")).toEqual({ count: 0, bannedUntil: null });
});

test("registration, configs and servers' other calls report the silence", async () => {
  turn("on");
  stopPanel();
  const loosely = api as (key: string, wish: object) => Promise<unknown>;
  for (const key of ["POST /auth/register", "GET /vpn/configs", "POST /vpn/configs", "GET /admin/servers/interfaces"])
    await expect(loosely(key, { body: {} }), key).rejects.toBeInstanceOf(NoAnswer);
});

test("an answer is never replaced, error or not", async () => {
  turn("on");
  panel({ "GET /users": refused(500, "internal", "Внутренняя ошибка"), "GET /services": [] });
  await expect(api("GET /users", { query: {} })).rejects.toBeInstanceOf(ApiError);
  expect(await api("GET /services")).toEqual([]);
});
