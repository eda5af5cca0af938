import { fireEvent, screen, waitFor, within } from "@testing-library/react";
import { expect, test } from "vitest";
import { screens } from "../../../testing/open-page.tsx";
import { type Panel, refused } from "../../../testing/panel.ts";
import { onNarrowDesk } from "../../../testing/phone.ts";
import { config, inDays, PLAIN_LOOK, uuid, wgInterface } from "../../../testing/samples.ts";
import { staffInterface } from "../../../testing/servers.ts";
import { admin, enter, moderator } from "../../../testing/staff.ts";
import type { ListedConfig } from "./queries.ts";

screens();

const one = (n: number, name: string, about: Partial<ListedConfig> = {}): ListedConfig => ({
  ...config({ id: uuid(100 + n), name }),
  staff: {
    owner: { id: uuid(5), username: "anna", displayName: "Анна" },
    interfaceName: "Interface 1",
    address: `10.8.0.${n}`,
    addressV6: null,
    movingFrom: null,
  },
  ...about,
});
const phone = one(2, "phone");
const laptop = one(3, "laptop");

const open = async (says: Panel = {}, me = admin, address = "/admin/configs") => {
  const page = await enter(
    address,
    {
      "GET /vpn/configs": [phone, laptop],
      "GET /admin/servers/interfaces": [],
      "GET /services": [],
      "GET /dns": [],
      ...says,
    },
    me,
  );
  return { ...page, last: () => Object.fromEntries(page.asked("GET /vpn/configs").at(-1)?.query ?? []) };
};
const menu = async (user: Awaited<ReturnType<typeof open>>["user"], name: string, item: string) => {
  await user.click(await screen.findByRole("button", { name: `Действия: ${name}` }));
  await user.click(await screen.findByRole("menuitem", { name: item }));
};

test.each([
  ["Заблокирован", { isBlocked: true }],
  ["Ждёт применения", { state: "pending" }],
  ["Отключён", { state: "off" }],
  ["Не подключался", {}],
  ["На связи", { stats: { lastHandshake: Date.now(), dataReceived: 0, dataSent: 0 } }],
  ["файл устарел", { needsDownload: true }],
] as const)("a row says how the config stands: %s", async (words, about) => {
  await open({ "GET /vpn/configs": [one(2, "phone", about as Partial<ListedConfig>)] });
  const row = (await screen.findByRole("button", { name: /^phone/ })).closest("tr") as HTMLElement;
  expect(within(row).getByText(words)).toBeTruthy();
});

test("next to the sections, a narrow window shows the columns that fit and the one it is sorted by", async () => {
  onNarrowDesk();
  await open({}, admin, "/admin/configs?sort=traffic");
  await screen.findByRole("button", { name: /^phone/ });
  const isShown = (name: string) => screen.queryByRole("columnheader", { name }) !== null;
  expect(["Интерфейс", "Трафик за всё время", "Последняя связь", "Адрес"].map(isShown)).toEqual([
    true,
    true,
    false,
    false,
  ]);
});

test("the panel searches, filters and sorts, and the address has the query", async () => {
  const { user, address, last } = await open();
  await user.type(await screen.findByRole("searchbox", { name: "Конфиг, имя или адрес" }), "10.8");
  await waitFor(() => expect(last()).toMatchObject({ scope: "all", q: "10.8" }));
  await user.selectOptions(screen.getByRole("combobox", { name: "Какие показать" }), "Нужно скачать заново");
  await waitFor(() => expect(last().filter).toBe("stale"));
  await user.click(screen.getByRole("button", { name: "Последняя связь" }));
  await waitFor(() => expect(last()).toMatchObject({ sort: "lastHandshake", order: "desc" }));
  expect(Object.fromEntries(new URL(address(), "http://x").searchParams)).toMatchObject({
    filter: "stale",
    sort: "lastHandshake",
    order: "desc",
  });
});

test("a config's details: its owner, its server, what it uses; never a key", async () => {
  const names: Panel = {
    "GET /services": [{ id: uuid(30), name: "YouTube", ips: [], deviceTypes: ["all"], allBut: false, ...PLAIN_LOOK }],
    "GET /dns": [{ id: uuid(50), name: "Cloudflare", ips: [] }],
  };
  const { user } = await open(names);
  await user.click(await screen.findByRole("button", { name: /^phone/ }));
  const dialog = within(await screen.findByRole("dialog", { name: "phone" }));
  await dialog.findByText("YouTube");
  for (const words of ["Анна", "Хельсинки", "Interface 1", "10.8.0.2", "Cloudflare", "создан панелью"])
    expect(dialog.getByText(words)).toBeTruthy();
});

test("if two servers have an 'Interface 1', the filter names each with its server", async () => {
  const places = [
    staffInterface({ id: uuid(61) }),
    staffInterface({ id: uuid(62), serverId: uuid(72), serverName: "Осло" }),
  ];
  await open({ "GET /admin/servers/interfaces": places });
  const filter = await screen.findByRole("combobox", { name: "Интерфейс" });
  expect(
    within(filter)
      .getAllByRole("option")
      .map((option) => option.textContent),
  ).toEqual(["Все интерфейсы", "Хельсинки: Interface 1", "Осло: Interface 1"]);
});

test("a device that moves shows both places, and until when the former one works", async () => {
  const moving = { until: inDays(1), interfaceId: uuid(61), interfaceName: "Interface 2", serverName: "Рига" };
  const from = { address: "10.8.1.9", addressV6: null };
  const row = one(2, "phone", { moving });
  const { user } = await open({ "GET /vpn/configs": [{ ...row, staff: { ...row.staff, movingFrom: from } }] });
  await user.click(await screen.findByRole("button", { name: /^phone/ }));
  const dialog = within(await screen.findByRole("dialog", { name: "phone" }));
  for (const words of [
    "Interface 1",
    "10.8.0.2",
    "Рига: Interface 2",
    "10.8.1.9",
    /^\d{1,2} [а-я]+ \d{4}\sг\., \d\d:\d\d$/,
  ])
    expect(dialog.getByText(words)).toBeTruthy();
});

test("deleting needs a confirmation that says what is lost and that the owner is notified; a 500 counts as done", async () => {
  const { user, asked, say } = await open({ "DELETE /vpn/configs/{id}": refused(500, "internal", "") });
  await menu(user, "phone", "Удалить");
  const dialog = within(await screen.findByRole("dialog", { name: "Удалить конфиг phone?" }));
  expect(dialog.getByText(/Участник \(Анна\) получит уведомление/)).toBeTruthy();
  expect(asked("DELETE /vpn/configs/{id}")).toHaveLength(0);
  say({ "GET /vpn/configs": [laptop] });
  await user.click(dialog.getByRole("button", { name: "Удалить" }));
  await waitFor(() => expect(screen.queryByRole("button", { name: /^phone/ })).toBeNull());
  expect(asked("POST /telegram/notify/{userId}"), "the panel tells him itself").toHaveLength(0);
});

test("a refused deletion says why, and the row stays", async () => {
  const { user } = await open({
    "DELETE /vpn/configs/{id}": refused(404, "config.not_found", "Конфигурация не найдена."),
  });
  await menu(user, "phone", "Удалить");
  const dialog = within(await screen.findByRole("dialog", { name: "Удалить конфиг phone?" }));
  await user.click(dialog.getByRole("button", { name: "Удалить" }));
  await dialog.findByText("Конфигурация не найдена.");
});

test("selected configs are deleted together", async () => {
  const { user, asked } = await open({ "POST /admin/configs/delete": { deleted: [phone.id, laptop.id] } });
  for (const name of ["phone", "laptop"])
    await user.click(await screen.findByRole("checkbox", { name: `Выбрать: ${name}` }));
  await user.click(screen.getByRole("button", { name: "Удалить" }));
  const dialog = within(await screen.findByRole("dialog", { name: /^Удалить 2\sконфига\?$/ }));
  await user.click(dialog.getByRole("button", { name: "Удалить" }));
  await waitFor(() => expect(asked("POST /admin/configs/delete").at(-1)?.body).toEqual({ ids: [phone.id, laptop.id] }));
});

test("a moderator only reads: nothing can be selected or deleted, and they read why", async () => {
  const { user, last } = await open({}, moderator);
  await screen.findByRole("button", { name: /^phone/ });
  expect(last().as).toBe("moderator");
  expect(screen.queryByRole("checkbox")).toBeNull();
  expect(screen.getByText("Только просмотр")).toBeTruthy();
  await user.click(screen.getByRole("button", { name: "Действия: phone" }));
  await screen.findByRole("menuitem", { name: "Подробнее" });
  expect(screen.queryByRole("menuitem", { name: "Удалить" })).toBeNull();
});

test("a list without results says so and leads back", async () => {
  const { user, address, say } = await open({ "GET /vpn/configs": [] }, admin, "/admin/configs?filter=blocked&q=zzz");
  await screen.findByText("Ничего не нашлось. Измените поиск или фильтр.");
  say({ "GET /vpn/configs": [phone] });
  await user.click(screen.getByRole("button", { name: "Показать все" }));
  await screen.findByRole("button", { name: /^phone/ });
  expect(address()).toBe("/admin/configs");
});

const place = (n: number, about: Partial<ReturnType<typeof wgInterface>> = {}) =>
  wgInterface({ id: uuid(60 + n), name: `Interface ${n}`, ...about });
test("a device is blocked and unblocked from its row", async () => {
  const { user, asked } = await open({
    "GET /vpn/configs": [one(2, "phone"), one(3, "tv", { isBlocked: true })],
    "PUT /admin/configs/{id}/blocked": config({ name: "phone", isBlocked: true }),
  });
  await menu(user, "phone", "Заблокировать");
  await screen.findByText(/phone\sзаблокирован/);
  await menu(user, "tv", "Разблокировать");
  await waitFor(() =>
    expect(asked("PUT /admin/configs/{id}/blocked").map(({ body }) => body)).toEqual([
      { isBlocked: true },
      { isBlocked: false },
    ]),
  );
});

test("an admin finds devices that nobody used, and brings one back from its details", async () => {
  const dormant = { since: inDays(-10), keptUntil: inDays(80) };
  const { user, asked } = await open({
    "GET /vpn/configs": [one(2, "phone", { state: "off", dormant })],
    "POST /admin/configs/{id}/reactivate": config({ name: "phone" }),
  });
  await menu(user, "phone", "Подробнее");
  expect((await screen.findAllByText(/^Отключён, не\sподключался$/)).length).toBeGreaterThan(0);
  await user.click(await screen.findByRole("button", { name: "Включить снова" }));
  await screen.findByText(/phone\sвключён снова/);
  expect(asked("POST /admin/configs/{id}/reactivate")).toHaveLength(1);
});

test("an admin sets until when a device works, sees why a day is refused, and takes it back", async () => {
  const { user, asked, say } = await open({
    "GET /vpn/configs": [one(2, "phone")],
    "PUT /admin/configs/{id}/end": refused(400, "config.end_in_past", "Эта дата уже прошла."),
  });
  await menu(user, "phone", "Подробнее");
  await user.click(await screen.findByRole("button", { name: "Срок" }));
  const dialog = within(await screen.findByRole("dialog", { name: "Срок: phone" }));
  fireEvent.change(dialog.getByLabelText("Работает до"), { target: { value: "2026-12-05" } });
  await user.click(dialog.getByRole("button", { name: "Сохранить" }));
  await dialog.findByText("Эта дата уже прошла.");
  say({ "PUT /admin/configs/{id}/end": config({ name: "phone" }) });
  await user.click(dialog.getByRole("button", { name: "Сохранить" }));
  await user.click(await screen.findByRole("button", { name: "Отменить" }));
  await screen.findByText("phone: прежний срок");
  const sent = asked("PUT /admin/configs/{id}/end").map(({ body }) => body);
  expect(sent).toEqual([{ until: "2026-12-05" }, { until: "2026-12-05" }, { until: null }]);
});

const openMove = async (says: Panel = {}, about: Partial<ListedConfig> = {}) => {
  const page = await open({
    "GET /vpn/configs": [one(2, "phone", { interfaceId: uuid(61), ...about })],
    "GET /vpn/available-interfaces": [place(1), place(2)],
    ...says,
  });
  await menu(page.user, "phone", "Подробнее");
  await page.user.click(await screen.findByRole("button", { name: "Перенести" }));
  return { ...page, dialog: within(await screen.findByRole("dialog", { name: "Перенести phone" })) };
};

test("an admin moves a member's device to another place that is open to the member", async () => {
  const { user, dialog, asked } = await openMove({ "PUT /admin/configs/{id}/interface": config() });
  const move = await dialog.findByRole<HTMLButtonElement>("button", { name: "Перенести" });
  expect(move.disabled, "it is there already").toBe(true);
  expect(dialog.getByText(/Участник \(Анна\) получит уведомление/)).toBeTruthy();
  await user.selectOptions(dialog.getByLabelText("Интерфейс сервера"), uuid(62));
  await user.click(move);
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  expect(asked("PUT /admin/configs/{id}/interface")[0]).toMatchObject({
    path: `/admin/configs/${phone.id}/interface`,
    body: { interfaceId: uuid(62) },
  });
  expect(asked("GET /vpn/available-interfaces")[0]?.query.get("userId")).toBe(uuid(5));
});

test("a device whose browser made the key cannot be moved, and the page says why", async () => {
  const { dialog, asked } = await openMove({}, { keyOrigin: "browser" });
  expect(dialog.getByText(/есть только на устройстве участника/)).toBeTruthy();
  expect(asked("PUT /admin/configs/{id}/interface")).toHaveLength(0);
});

test("if no other place is open to the member, the page says how to open one", async () => {
  const { dialog } = await openMove({ "GET /vpn/available-interfaces": [place(1), place(2, { reason: "full" })] });
  await screen.findByText(/не доступен другой интерфейс/);
  expect(dialog.queryByLabelText("Интерфейс сервера")).toBeNull();
});

test("a moderator sees the details without moving anything", async () => {
  const { user } = await open({}, moderator);
  await menu(user, "phone", "Подробнее");
  await screen.findByRole("dialog", { name: "phone" });
  expect(screen.queryByRole("button", { name: "Перенести" })).toBeNull();
});
