import { screen, waitFor } from "@testing-library/react";
import { beforeEach, expect, test, vi } from "vitest";
import { listenLive } from "../lib/live.ts";
import { openPage, screens } from "../testing/open-page.tsx";
import { panel, refused } from "../testing/panel.ts";
import { config, inDays, member, uuid } from "../testing/samples.ts";
import { enter, listed } from "../testing/staff.ts";
import { Stream } from "../testing/stream.ts";

screens();

beforeEach(() => {
  Stream.all = [];
  vi.stubGlobal("EventSource", Stream);
});

const lists = { "GET /vpn/available-interfaces": [], "GET /users/{id}/invited": [] };

async function dashboard() {
  const says = panel({ ...lists, "GET /auth/me": member(), "GET /vpn/configs": [config()] });
  openPage("/dashboard");
  await screen.findByText("iphone-marina");
  const [stream] = Stream.all;
  if (stream === undefined) throw new Error("nobody listens");
  stream.opens();
  return { says, stream };
}

test("staff changes appear without a reload: a renewal, and a deleted config", async () => {
  const { says, stream } = await dashboard();
  const ended = inDays(-1);
  says.say({
    "GET /auth/me": member({
      subscriptionEnd: ended,
      entitlement: { allowed: false, reason: "expired", until: null },
    }),
    "GET /vpn/configs": [],
  });
  stream.tell("changed", { topic: "account" });
  await screen.findByText(/^Истекла/);
  await waitFor(() => expect(screen.queryByText("iphone-marina")).toBeNull());
});

test("a friend's first connection shows at once in the ring of friends", async () => {
  const { says, stream } = await dashboard();
  await waitFor(() => expect(says.asked("GET /users/{id}/invited")).toHaveLength(1));
  stream.tell("changed", { topic: "inbox" });
  await waitFor(() => expect(says.asked("GET /users/{id}/invited")).toHaveLength(2));
});

test("what another admin does to the catalogue and to interfaces shows on the screens that list them", async () => {
  const catalog = await enter("/admin/wireguard", { "GET /services": [], "GET /dns": [] });
  await screen.findByRole("heading", { name: "DNS" });
  const [stream] = Stream.all;
  stream?.opens();
  await waitFor(() => expect(catalog.asked("GET /dns").length).toBeGreaterThan(0));
  const before = catalog.asked("GET /dns").length;
  catalog.say({ "GET /dns": [{ id: uuid(5), name: "Quad9", ips: ["9.9.9.9"] }] });
  stream?.tell("changed", { topic: "clubCatalog" });
  await screen.findByText("Quad9");
  expect(catalog.asked("GET /dns").length).toBe(before + 1);
});

test("changes during a lost connection are fetched when it is back", async () => {
  const { says, stream } = await dashboard();
  stream.breaks(false);
  says.say({ "GET /vpn/configs": [config({ name: "notebook" })] });
  stream.opens();
  await screen.findByText("notebook");
});

test("pages that were refused together do not return together, and each waits longer the next time", () => {
  vi.useFakeTimers();
  const chance = vi.spyOn(Math, "random");
  const end = listenLive({ path: "/refused", events: {}, onGap: () => {} });
  for (const [at, [luck, waitsMs]] of [
    [0, 2_000],
    [0.5, 6_000],
    [1, 16_000],
  ].entries() as ArrayIterator<[number, [number, number]]>) {
    chance.mockReturnValue(luck);
    Stream.all.at(-1)?.breaks(true);
    vi.advanceTimersByTime(waitsMs - 1);
    expect(Stream.all).toHaveLength(at + 1);
    vi.advanceTimersByTime(1);
    expect(Stream.all).toHaveLength(at + 2);
  }
  end();
  chance.mockRestore();
  vi.useRealTimers();
});

test("a session that staff ended leads to the sign-in", async () => {
  const { says, stream } = await dashboard();
  says.say({ "GET /auth/me": refused(401, "auth.required", "Войдите, чтобы продолжить.") });
  stream.breaks(true);
  await screen.findByRole("heading", { name: "Вход" });
});

test("a hidden tab closes its connection, and fetches what it missed when it is visible again", async () => {
  const { says, stream } = await dashboard();
  vi.useFakeTimers();
  const visibility = vi.spyOn(document, "visibilityState", "get");
  visibility.mockReturnValue("hidden");
  document.dispatchEvent(new Event("visibilitychange"));
  vi.advanceTimersByTime(61_000);
  vi.useRealTimers();
  expect(stream.readyState).toBe(Stream.CLOSED);
  says.say({ "GET /vpn/configs": [config({ name: "notebook" })] });
  visibility.mockReturnValue("visible");
  document.dispatchEvent(new Event("visibilitychange"));
  expect(Stream.all).toHaveLength(2);
  Stream.all[1]?.opens();
  await screen.findByText("notebook");
  visibility.mockRestore();
});

test("a hidden tab makes room at once when another one opens, and a tab that was never looked at takes none", async () => {
  const visibility = vi.spyOn(document, "visibilityState", "get");
  const other = new BroadcastChannel("krug.live");
  const { stream } = await dashboard();
  visibility.mockReturnValue("hidden");
  document.dispatchEvent(new Event("visibilitychange"));
  other.postMessage(null);
  await waitFor(() => expect(stream.readyState).toBe(Stream.CLOSED));
  const gaps: string[] = [];
  const end = listenLive({ path: "/background", events: {}, onGap: () => gaps.push("gap") });
  expect(Stream.all).toHaveLength(1);
  visibility.mockReturnValue("visible");
  document.dispatchEvent(new Event("visibilitychange"));
  const background = Stream.all.find(({ url }) => url.endsWith("/background"));
  background?.opens();
  expect(gaps, "what it missed is asked for").toEqual(["gap"]);
  end();
  other.close();
  visibility.mockRestore();
});

test.each([
  ["a blocked person sees that", true, "Ваш аккаунт заблокирован. Пожалуйста, свяжитесь с администрацией."],
  ["a session that ended elsewhere is shown as ended", false, "Сеанс завершён. Войдите снова."],
])("when the session ends, the sign-in says why: %s", async (_, isBlocked, words) => {
  const { says, stream } = await dashboard();
  says.say({ "GET /auth/me": refused(401, "auth.required") });
  if (isBlocked) stream.tell("ended", { why: "blocked" });
  stream.breaks(true);
  expect(await screen.findByText(words)).toBeTruthy();
  expect(screen.queryByText("Рады видеть вас снова.") === null, "and greets only who may come in").toBe(isBlocked);
});

test("what another admin does to a member shows in the list that is open here", async () => {
  const { say } = await enter("/admin/users", { "GET /users": [listed(1)] });
  await screen.findByText("Участник 1");
  const stream = Stream.all.find(({ url }) => url.endsWith("/events")) ?? expect.unreachable();
  say({ "GET /users": [listed(1, { displayName: "Мария" }), listed(2)] });
  stream.tell("changed", { topic: "clubMembers" });
  await screen.findByText("Мария");
  await screen.findByText("Участник 2");
});
