import { act, screen, waitFor, within } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import { setAhead } from "../../../lib/club-clock.ts";
import { friends as words } from "../../../lib/i18n/ru/friends.ts";
import { openPage, screens } from "../../../testing/open-page.tsx";
import { type Panel, panel, refused } from "../../../testing/panel.ts";
import { inDays, member, uuid } from "../../../testing/samples.ts";
import { drawQr } from "../../../ui/qr.tsx";
import type { Friend } from "./queries.ts";

screens();

const HOUR_MS = 3_600_000;
const inMs = (ms: number) => new Date(Date.now() + ms).toISOString();
const friend = (n: number, about: Partial<Friend> = {}): Friend => ({
  id: uuid(200 + n),
  displayName: `Друг ${n}`,
  joinedAt: inDays(-9),
  hasActiveSubscription: true,
  subscriptionUntil: inDays(40),
  counts: true,
  reasonWhyNot: null,
  ...about,
});
const waiting = (
  n: number,
  reasonWhyNot: NonNullable<Friend["reasonWhyNot"]>,
  subscriptionUntil: string | null = null,
) => friend(n, { counts: false, reasonWhyNot, hasActiveSubscription: false, subscriptionUntil });

async function open(says: Panel = {}) {
  const club = panel({
    "GET /auth/me": member(),
    "GET /vpn/configs": [],
    "GET /vpn/available-interfaces": [],
    "GET /users/{id}/active-invite": { expiresAt: null },
    "GET /users/{id}/invited": [],
    ...says,
  });
  const page = openPage("/dashboard");
  await page.user.click(await screen.findByRole("button", { name: "Пригласить друзей" }));
  const dialog = within(await screen.findByRole("dialog", { name: "Пригласить друга" }));
  return { ...club, ...page, dialog };
}

test("without a code, a press creates one, shown with its remaining time", async () => {
  const { user, dialog, asked } = await open({
    "POST /users/generate-invite": () => ({ code: "K7MPHW", expiresAt: inMs(12 * HOUR_MS) }),
  });
  await user.click(await dialog.findByRole("button", { name: "Создать код" }));
  const code = await dialog.findByText("K 7 M P H W");
  expect(code.closest("[translate=no]"), "a translated page takes no letter for a word").toBeTruthy();
  expect(dialog.getByRole("timer").textContent).toMatch(/^действует ещё (12:00:00|11:5\d:\d\d)$/);
  expect(dialog.getByText(/действует до \d\d:\d\d/)).toBeTruthy();
  expect(asked("POST /users/generate-invite")[0]?.body).toEqual({ userId: uuid(1), username: "marina_l" });
});

test.each([
  ["on trial", { isTrial: true }, "Приглашать друзей можно после пробного периода."],
  [
    "expired",
    { entitlement: { allowed: false, reason: "expired" as const, until: null } },
    "Приглашать друзей можно с действующей подпиской.",
  ],
])("a member who may not invite yet (%s) reads why, and gets no button that would fail", async (_, about, words) => {
  const { user, dialog } = await open({ "GET /auth/me": member(about) });
  const why = await dialog.findByText(words);
  expect(why.closest("[data-tone]")?.getAttribute("data-tone"), "it is their move, and nothing is broken").toBe("move");
  expect(dialog.queryByRole("button", { name: "Создать код" })).toBeNull();
  await user.click(dialog.getByRole("button", { name: "Продлить" }));
  await waitFor(() => expect(screen.queryByRole("dialog", { name: "Пригласить друга" })).toBeNull());
  expect(await screen.findByRole("dialog")).toBeTruthy();
});

test("the time ticks, and at zero code and countdown disappear", async () => {
  const { dialog } = await open({
    "GET /users/{id}/active-invite": { code: "K7MPHW", expiresAt: inMs(HOUR_MS - 60_000) },
  });
  const left = () => /^действует ещё (00:5\d:\d\d)$/.exec(dialog.getByRole("timer").textContent ?? "")?.[1] ?? "";
  await dialog.findByRole("timer");
  const first = left();
  await waitFor(() => expect(left() < first).toBe(true));
  act(() => setAhead(HOUR_MS));
  expect(await dialog.findByRole("button", { name: "Создать код" })).toBeTruthy();
  expect(dialog.queryByRole("timer")).toBeNull();
  expect(dialog.queryByText("K 7 M P H W")).toBeNull();
});

test.each([
  ["invite.needs_subscription", "Приглашать друзей можно с действующей подпиской.", words.doorSubscription],
  ["invite.on_trial", "Приглашать друзей можно после пробного периода.", words.doorTrial],
  ["invite.needs_rules", "Сначала примите правила клуба.", null],
  ["invite.monthly_limit", "В этом месяце вы уже создали 10 кодов. Новые — со следующего месяца.", null],
  ["unexpected", "", null],
])("a refusal (%s) is shown in the server's words or ours", async (code, message, door) => {
  const { user, dialog } = await open({ "POST /users/generate-invite": refused(403, code, message) });
  await user.click(await dialog.findByRole("button", { name: "Создать код" }));
  expect(await dialog.findByText(message || "Ошибка при генерации кода приглашения")).toBeTruthy();
  if (door) expect(dialog.getByText(door)).toBeTruthy();
});

test("failed loads are reported and can be retried", async () => {
  const { user, dialog, say } = await open({
    "GET /users/{id}/active-invite": refused(500, "unexpected", "Внутренняя ошибка"),
    "GET /users/{id}/invited": refused(500, "unexpected", "Внутренняя ошибка"),
  });
  expect(await dialog.findByText("Ошибка при проверке кода приглашения")).toBeTruthy();
  expect(await dialog.findByText("Ошибка при загрузке приглашенных пользователей")).toBeTruthy();
  say({ "GET /users/{id}/active-invite": { expiresAt: null }, "GET /users/{id}/invited": [friend(1)] });
  for (const retry of dialog.getAllByRole("button", { name: "Повторить" })) await user.click(retry);
  expect(await dialog.findByText("Друг 1")).toBeTruthy();
  expect(await dialog.findByRole("button", { name: "Создать код" })).toBeTruthy();
});

test("copying includes the code and the registration link, and is confirmed", async () => {
  const { user, dialog } = await open({
    "GET /users/{id}/active-invite": { code: "K7MPHW", expiresAt: inMs(HOUR_MS) },
  });
  expect(dialog.queryByRole("button", { name: "Отправить" })).toBeNull();
  await user.click(await dialog.findByRole("button", { name: "Скопировать" }));
  expect(await dialog.findByRole("button", { name: "Скопировано" })).toBeTruthy();
  const copied = await navigator.clipboard.readText();
  expect(copied).toContain("K7MPHW");
  expect(copied).toContain(`${location.origin}/register#code=K7MPHW`);
});

test("a friend nearby scans the link", async () => {
  const { user, dialog } = await open({
    "GET /users/{id}/active-invite": { code: "K7MPHW", expiresAt: inMs(HOUR_MS) },
  });
  expect(dialog.queryByRole("img", { name: words.qrLabel })).toBeNull();
  await user.click(await dialog.findByRole("button", { name: words.showQr }));
  const drawing = await dialog.findByRole("img", { name: words.qrLabel });
  expect(drawing.querySelector("path")?.getAttribute("d")).toBe(
    drawQr(`${location.origin}/register#code=K7MPHW`)?.path,
  );
  await user.click(dialog.getByRole("button", { name: words.hideQr }));
  expect(dialog.queryByRole("img", { name: words.qrLabel })).toBeNull();
});

test("if the browser forbids copying, the page says what to do", async () => {
  const { user, dialog } = await open({
    "GET /users/{id}/active-invite": { code: "K7MPHW", expiresAt: inMs(HOUR_MS) },
  });
  vi.spyOn(navigator.clipboard, "writeText").mockRejectedValue(new Error("no"));
  await user.click(await dialog.findByRole("button", { name: "Скопировать" }));
  expect((await dialog.findByText(words.copyFailed)).closest('[role="alert"]')).toBeTruthy();
});

test("a device that can share shares; closing its list is not an error", async () => {
  const share = vi.fn().mockRejectedValueOnce(new DOMException("", "AbortError")).mockResolvedValue(undefined);
  vi.stubGlobal("navigator", Object.assign(navigator, { share }));
  try {
    const { user, dialog } = await open({
      "GET /users/{id}/active-invite": { code: "K7MPHW", expiresAt: inMs(HOUR_MS) },
    });
    await user.click(await dialog.findByRole("button", { name: "Отправить" }));
    expect(dialog.queryByRole("button", { name: "Скопировано" })).toBeNull();
    expect(share.mock.calls[0]?.[0]).toMatchObject({ url: `${location.origin}/register#code=K7MPHW` });
    expect(share.mock.calls[0]?.[0].text).toContain("K7MPHW");
  } finally {
    Reflect.deleteProperty(navigator, "share");
  }
});

test("nobody invited yet: three friends to go, and what will appear here", async () => {
  const { dialog } = await open();
  expect(await dialog.findByText(words.empty)).toBeTruthy();
  expect(dialog.getByText("0 из 3")).toBeTruthy();
  expect(dialog.getByText("Трое друзей, и подписка станет бесплатной")).toBeTruthy();
});

test("each friend is listed with the reason why they count or not", async () => {
  const { dialog } = await open({
    "GET /users/{id}/invited": [
      friend(1, { subscriptionUntil: "2031-01-03T12:00:00.000Z" }),
      friend(2, { subscriptionUntil: null }),
      waiting(3, "on_trial", inDays(2.5)),
      waiting(4, "no_subscription"),
      waiting(5, "no_handshake"),
      waiting(6, "blocked"),
    ],
  });
  await dialog.findByText("Друг 1");
  expect(dialog.getAllByRole("listitem").map((row) => row.textContent?.replaceAll("\u00a0", " "))).toEqual([
    "Друг 1считается, подписка до 3 января 2031 г.",
    "Друг 2считается",
    "Друг 3пока нет: пробный период, ещё 3 дня",
    "Друг 4пока нет: нет подписки",
    "Друг 5пока нет: за 30 дней ни одного подключения",
    "Друг 6пока нет: аккаунт заблокирован",
  ]);
  expect(dialog.getByText("2 из 3")).toBeTruthy();
  expect(dialog.getByText("Ещё один друг, и подписка станет бесплатной")).toBeTruthy();
});

test("with three or more the subscription is free", async () => {
  const { dialog } = await open({ "GET /users/{id}/invited": [1, 2, 3, 4].map((n) => friend(n)) });
  expect(await dialog.findByText("3 из 3")).toBeTruthy();
  expect(dialog.getByText("Подписка бесплатна")).toBeTruthy();
});
