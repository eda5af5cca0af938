import { screen, waitFor, within } from "@testing-library/react";
import { expect, test } from "vitest";
import { screens } from "../../../testing/open-page.tsx";
import type { Panel } from "../../../testing/panel.ts";
import { uuid } from "../../../testing/samples.ts";
import { enter, moderator } from "../../../testing/staff.ts";
import { changesOf, changeText } from "./changes.ts";
import type { AuditEntry } from "./queries.ts";
import { useAuditWords } from "./words.ts";

screens();

const entry = (n: number, about: Partial<AuditEntry> = {}): AuditEntry => ({
  id: uuid(900 + n),
  at: new Date(Date.now() - n * 60_000).toISOString(),
  action: "member.changed",
  by: { id: uuid(1), username: "chief", displayName: "Глава" },
  session: { id: uuid(70), device: "Chrome, Android", apiToken: null },
  via: null,
  target: { kind: "member", id: uuid(5) },
  member: { id: uuid(5), username: "boris", displayName: "Борис" },
  before: { vpnConfigLimit: 3, role: "user", isVip: 0 },
  after: { vpnConfigLimit: -1, role: "moderator", isVip: 1 },
  names: {},
  ...about,
});
const staff = [{ id: uuid(1), username: "chief", displayName: "Глава", role: "admin" as const }];
const open = (address = "/admin/audit", says: Panel = {}, me?: typeof moderator) =>
  enter(address, { "GET /admin/audit": [entry(1)], "GET /admin/audit/staff": staff, ...says }, me);

test("an entry shows when, who, what, whom it concerned, and the earlier value", async () => {
  await open();
  const row = within((await screen.findByText("Изменён участник", { selector: "td *" })).closest("tr") as HTMLElement);
  expect(row.getByText("минуту назад")).toBeTruthy();
  expect(row.getByText("Глава")).toBeTruthy();
  expect(row.getByText("Борис")).toBeTruthy();
  expect(row.getByText("лимит конфигов: 3 → без ограничения")).toBeTruthy();
  expect(row.getByText("роль: участник → модератор")).toBeTruthy();
  expect(row.getByText("ещё 1")).toBeTruthy();
});

test("the first entry of each day is headed by the day", async () => {
  const at = (day: string, n: number) => entry(n, { at: `2025-03-${day}T12:0${n}:00.000Z` });
  await open("/admin/audit?action=member.changed", { "GET /admin/audit": [at("05", 3), at("05", 2), at("04", 1)] });
  const rows = (await screen.findAllByText("Изменён участник", { selector: "td *" })).map((each) => each.closest("tr"));
  const headed = rows.map((row) => row?.querySelector("td")?.firstElementChild?.tagName !== "TIME");
  expect(headed).toEqual([true, false, true]);
  expect(rows[2]?.querySelector("td")?.firstElementChild?.textContent).toMatch(/^4\sмарта\s2025/);
  expect(screen.getByText(/^Фильтры:\s1$/)).toBeTruthy();
});

test("an opened entry shows everything, with its session, and links to the member", async () => {
  const { user, address, asked } = await open();
  await user.click(await screen.findByRole("button", { name: "Подробности: Изменён участник" }));
  const dialog = within(await screen.findByRole("dialog", { name: "Изменён участник" }));
  expect(
    dialog
      .getAllByRole("row")
      .slice(1)
      .map((row) => row.textContent),
  ).toEqual(["лимит конфигов3без ограничения", "рольучастникмодератор", "VIPнетда"]);
  expect(dialog.getByText(/Chrome, Android/)).toBeTruthy();
  expect(dialog.getByText("Глава (chief)")).toBeTruthy();
  expect(dialog.getByRole("link", { name: "Открыть участника" }).getAttribute("href")).toBe("/admin/users/boris");
  await user.click(dialog.getByRole("button", { name: "Всё о нём в журнале" }));
  await waitFor(() => expect(address()).toBe("/admin/audit?q=boris"));
  expect(asked("GET /admin/audit").at(-1)?.query.get("q")).toBe("boris");
});

test("deleted people, the panel itself and the whole club have their own texts", async () => {
  await open("/admin/audit", {
    "GET /admin/audit": [
      entry(1, { member: { id: uuid(5), username: null, displayName: null } }),
      entry(2, {
        by: null,
        session: null,
        action: "maintenance.switched",
        target: { kind: "club", id: null },
        member: null,
      }),
      entry(3, {
        action: "service.deleted",
        target: { kind: "service", id: uuid(8) },
        member: null,
        before: { name: "Почта" },
        after: null,
      }),
    ],
  });
  expect(await screen.findByText("Удалённый участник")).toBeTruthy();
  expect(screen.getByText("Панель или командная строка")).toBeTruthy();
  expect(screen.getByText("Весь клуб")).toBeTruthy();
  expect(screen.getByText("Сервис Почта")).toBeTruthy();
});

test("a rule is named after its target", async () => {
  const target = { kind: "rule" as const, id: uuid(9) };
  const after = { type: "blacklist", target: "пример.рф", appliesTo: "all" };
  await open("/admin/audit", {
    "GET /admin/audit": [entry(1, { action: "rule.added", target, member: null, before: null, after })],
  });
  expect(await screen.findByText("Правило пример.рф")).toBeTruthy();
});

test("the search is in the address and goes to the panel", async () => {
  const { user, address, asked } = await open();
  await user.selectOptions(await screen.findByLabelText("Кто"), "Глава");
  await user.selectOptions(screen.getByLabelText("Действие"), "Платежи: всё");
  await user.type(screen.getByLabelText("С"), "2026-11-01");
  await waitFor(() => expect(address()).toContain("from=2026-11-01"));
  expect(address()).toContain("action=payment");
  const query = asked("GET /admin/audit").at(-1)?.query;
  expect([query?.get("by"), query?.get("action"), query?.get("from")]).toEqual([uuid(1), "payment", "2026-11-01"]);
});

test("a link reproduces the view; if nothing is found the filters can be cleared", async () => {
  const { user, address, asked } = await open("/admin/audit?action=member.deleted&to=2020-01-01", {
    "GET /admin/audit": [],
  });
  await screen.findByText("Такого в журнале нет.");
  expect(asked("GET /admin/audit")[0]?.query.get("action")).toBe("member.deleted");
  await user.click(screen.getByRole("button", { name: "Сбросить фильтры" }));
  await waitFor(() => expect(address()).toBe("/admin/audit"));
});

test.each([
  ["a day that is none", "from=abc"],
  ["a day that the calendar does not have", "to=2026-02-30"],
  ["an act that nobody records", "action=nothing"],
  ["somebody who cannot be meant", "by=chief"],
])("%s in the address is not a filter", async (_, search) => {
  const { asked } = await open(`/admin/audit?${search}`);
  await screen.findByText("Изменён участник", { selector: "td *" });
  const query = asked("GET /admin/audit")[0]?.query;
  expect(["q", "by", "action", "from", "to"].filter((name) => query?.has(name))).toEqual([]);
});

test("a moderator cannot filter by an action that only admins see", async () => {
  const { asked } = await open("/admin/audit?action=settings.changed", {}, moderator);
  await screen.findByText("Изменён участник", { selector: "td *" });
  expect(asked("GET /admin/audit")[0]?.query.get("action")).toBeNull();
});

test("a moderator is offered no system filters, and an admin viewing as a moderator gets a moderator's answers", async () => {
  const { asked } = await open("/admin/audit", {}, moderator);
  const actions = await screen.findByLabelText("Действие");
  expect(within(actions).queryByText("Изменены настройки клуба")).toBeNull();
  expect(within(actions).getByText("Изменён платёж")).toBeTruthy();
  expect(asked("GET /admin/audit")[0]?.query.get("as")).toBe("moderator");
});

const inRussian = { words: useAuditWords.ru, language: "ru" as const };

test.each<[string, object | null, object | null, string[]]>([
  [
    "what was added",
    null,
    { name: "Почта", ips: ["192.0.2.1", "192.0.2.2"] },
    ["название: Почта", "адреса: 192.0.2.1, 192.0.2.2"],
  ],
  ["what was deleted", { name: "Почта" }, null, ["название: Почта"]],
  ["only what differs", { name: "Почта", ips: ["192.0.2.1"] }, { name: "Почта", ips: [] }, ["адреса: 192.0.2.1 → —"]],
  ["money in hundredths", { paymentPrice: 30_000 }, { paymentPrice: null }, ["цена: 300,00 → —"]],
  ["names as they were typed", null, { name: "phone", displayName: "[1]" }, ["название: phone", "имя: [1]"]],
  ["flags", { enabled: false }, { enabled: true }, ["включены: нет → да"]],
  ["a list kept as a text", { interfaces: "[]" }, { interfaces: `["${uuid(7)}"]` }, ["интерфейсы: — → Рига"]],
  [
    "an access rule",
    null,
    { type: "blacklist", target: "пример.рф", appliesTo: [uuid(7)], memberCount: 120 },
    ["список: чёрный список", "цель: пример.рф", "для кого: Рига", "участников: 120"],
  ],
  ["what was assigned, only by its name", null, { interface: "Семья", interfaceId: uuid(8) }, ["интерфейс: Семья"]],
  ["a field without a name as it is recorded", null, { surprise: 5 }, ["surprise: 5"]],
])("changes as text: %s", (_, before, after, expected) => {
  const read = { before: before as Record<string, unknown> | null, after: after as Record<string, unknown> | null };
  const changes = changesOf(read, { ...inRussian, names: { [uuid(7)]: "Рига" } });
  expect(changes.map((change) => changeText(change, useAuditWords.ru))).toEqual(expected);
});

test("a subscription's end is the club's day wherever its reader is, and only changes are shown", () => {
  const reader = { words: useAuditWords.ru, language: "ru" } as const;
  const changes = changesOf(
    {
      before: { subscriptionEnd: "2026-12-12T00:30:00.000+14:00", status: "pending", note: null },
      after: { subscriptionEnd: "2027-01-12T00:30:00.000+14:00", status: "paid" },
    },
    reader,
  ).map((change) => changeText(change, useAuditWords.ru));
  expect(changes).toContain("подписка до: 12.12.2026 → 12.01.2027");
  expect(changes.join()).not.toContain(useAuditWords.ru.fields.note ?? "note");
  expect(changesOf({ before: { subscriptionEnd: null }, after: {} }, reader)).toEqual([]);
});
