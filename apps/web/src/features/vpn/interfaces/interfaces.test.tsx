import type { Api } from "@krug/contract/api";
import { whyOf } from "@krug/contract/reasons";
import { reason } from "@krug/domain/reasons";
import { screen, waitFor, within } from "@testing-library/react";
import { describe, expect, test } from "vitest";
import { screens } from "../../../testing/open-page.tsx";
import { type Panel, refused } from "../../../testing/panel.ts";
import { config, uuid } from "../../../testing/samples.ts";
import { server, staffInterface } from "../../../testing/servers.ts";
import { admin, enter, moderator } from "../../../testing/staff.ts";
import type { Interface, Server } from "../servers/index.ts";
import { changeOf, formOf, wrongFields } from "./interface-form.ts";

screens();

const family = staffInterface({
  id: uuid(61),
  name: "Семья",
  interfaceName: "wg1",
  listenPort: 51821,
  subnet: "10.8.1.0/24",
  configCount: 0,
  peerCount: 0,
  toDownload: 0,
  assignedCount: 2,
});
const ALL = ["interfaces.see", "interfaces.rename", "interfaces.assign", "interfaces.change"] as const;
const open = (says: Panel = {}, address = "/admin/interfaces", me = admin) =>
  enter(
    address,
    {
      "GET /admin/servers": [server(), server({ id: uuid(71), name: "Стокгольм", isMain: false })],
      "GET /admin/servers/interfaces": [
        staffInterface(),
        family,
        staffInterface({ id: uuid(62), serverId: uuid(71), name: "Северный" }),
      ],
      "GET /admin/rights": { actions: [...ALL] },
      "GET /admin/servers/emptyings": [],
      "GET /admin/servers/interfaces/{id}/users": [],
      ...says,
    },
    me,
  );
const lost = (name: string, displayName: string) => ({
  ...config({ name, userId: uuid(displayName.length) }),
  staff: {
    owner: { id: uuid(displayName.length), username: "owner", displayName },
    interfaceName: "Interface 1",
    address: "10.8.0.2",
    addressV6: null,
    movingFrom: null,
  },
});
type User = Awaited<ReturnType<typeof open>>["user"];
const act = async (user: User, name: string, action: string) => {
  await user.click(await screen.findByRole("button", { name: `Действия: ${name}` }));
  await user.click(await screen.findByRole("menuitem", { name: action }));
};

test("the first server's interfaces are shown, or another's if it is chosen; the choice is in the address", async () => {
  const { user, address } = await open();
  const row = await screen.findByRole("row", { name: /Interface 1/ });
  expect(row.textContent).toMatch(/wg0.*51820.*10\.8\.0\.0\/24.*Работает.*12 из 253/);
  expect(screen.queryByText("Северный")).toBeNull();
  await user.selectOptions(screen.getByLabelText("Сервер"), "Стокгольм");
  await screen.findByText("Северный");
  expect(screen.queryByText("Семья")).toBeNull();
  expect(address()).toBe(`/admin/interfaces?server=${uuid(71)}`);
});

test("of 60 interfaces fifty are on a page, and another server starts at its first", async () => {
  const many = Array.from({ length: 60 }, (_, n) => staffInterface({ id: uuid(500 + n), name: `Interface ${n + 1}` }));
  const away = staffInterface({ id: uuid(62), serverId: uuid(71), name: "Северный" });
  const { user } = await open({ "GET /admin/servers/interfaces": [...many, away] });
  const shown = () => screen.getAllByText(/^Interface \d+$/).length;
  await screen.findByText("Interface 50");
  expect(shown()).toBe(50);
  await user.click(screen.getByLabelText("Последняя страница"));
  await screen.findByText("Interface 60");
  expect(shown()).toBe(10);
  await user.selectOptions(screen.getByLabelText("Сервер"), "Стокгольм");
  await screen.findByText("Северный");
});

test("an interface that did not come up says why", async () => {
  const why = whyOf(reason("machine.said", {}, "address already in use"));
  await open({ "GET /admin/servers/interfaces": [staffInterface({ conflict: "machine.said", why })] });
  const row = await screen.findByRole("row", { name: /Не поднялся/ });
  expect(row.textContent?.replace(/\s/g, " ")).toContain("address already in use");
});

describe("the result of the panel's own handshake with an interface", () => {
  const since = new Date(Date.now() - 5 * 60_000).toISOString();
  const shown = async (
    about: Partial<NonNullable<Interface["probe"]>> | null,
    status: Server["status"] = "connected",
  ) => {
    const probe = about && { state: "answers" as const, since, fromInside: false, ...about };
    await open({
      "GET /admin/servers": [server({ status })],
      "GET /admin/servers/interfaces": [staffInterface({ probe })],
    });
    const row = await screen.findByRole("row", { name: /Interface 1/ });
    return row.textContent?.replace(/\s/g, " ");
  };

  test.each<[string, Partial<NonNullable<Interface["probe"]>> | null, RegExp]>([
    ["it answers", {}, /Работает.*отвечает снаружи с \d\d:\d\d/],
    ["only its own machine looked", { fromInside: true }, /Работает.*проверено только изнутри/],
    ["its port is closed", { state: "closed" }, /Недоступен.*UDP-порт 51820 закрыт межсетевым экраном или провайдером/],
    ["its own machine closes it", { state: "closed", fromInside: true }, /Недоступен.*даже изнутри/],
    ["nothing listens", { state: "not_running" }, /Недоступен.*никто не слушает/],
    ["its name is gone", { state: "unresolved" }, /Недоступен.*не находится в DNS/],
    ["the panel got nowhere", { state: "untried" }, /Работает.*у панели нет пути/],
    ["the server did not answer either", { state: "away" }, /Работает.*как и сам сервер/],
    ["nobody looked yet", null, /Работает.*ещё не проверен/],
  ])("%s", async (_, about, words) => {
    expect(await shown(about)).toMatch(words);
  });

  test("is hidden while the server itself does not answer", async () => {
    expect(await shown({ state: "closed" }, "error")).not.toMatch(/Недоступен|UDP-порт/);
  });

  test("has a date if it is from another day", async () => {
    expect(await shown({ since: "2026-11-18T10:00:00.000Z" })).toMatch(/с 18 ноября/);
  });
});

test("an interface that fills up shows how many more devices it takes", async () => {
  const rows = [
    staffInterface({ configCount: 226 }),
    staffInterface({ id: uuid(62), name: "Полный", configCount: 230 }),
  ];
  await open({ "GET /admin/servers/interfaces": rows });
  const shown = async (name: RegExp) => (await screen.findByRole("row", { name })).textContent;
  expect(await shown(/Полный/)).toMatch(/осталось адресов: 23/);
  expect(await shown(/Interface 1/)).not.toMatch(/осталось/);
});

test("a name is edited in place: Escape cancels, an empty one is refused, Enter confirms", async () => {
  const { user, asked } = await open({
    "PUT /admin/servers/{serverId}/interfaces/{interfaceId}": { ...family, name: "Родные" },
  });
  await act(user, "Семья", "Переименовать");
  await waitFor(() => expect(document.activeElement).toBe(screen.getByLabelText("Новое название: Семья")));
  await user.keyboard("{Escape}");
  expect(screen.queryByLabelText("Новое название: Семья")).toBeNull();
  await act(user, "Семья", "Переименовать");
  const field = await screen.findByLabelText("Новое название: Семья");
  await user.clear(field);
  await user.click(screen.getByRole("button", { name: "Сохранить название" }));
  await screen.findByText("Название не может быть пустым");
  await user.type(field, "Родные{Enter}");
  await screen.findByText("Теперь называется: Родные");
  const [sent] = asked("PUT /admin/servers/{serverId}/interfaces/{interfaceId}");
  expect(sent?.path).toBe(`/admin/servers/${uuid(70)}/interfaces/${uuid(61)}`);
  expect(sent?.body).toEqual({ name: "Родные", expected: { name: "Семья" } });
});

test("the panel names a new interface by default; a failure is shown with its reason", async () => {
  const { user, asked, say } = await open({
    "POST /admin/servers/{serverId}/create-interface": refused(503, "server.unreachable", "Сервер не отвечает: away"),
  });
  await user.click(await screen.findByRole("button", { name: "Создать интерфейс" }));
  const dialog = within(await screen.findByRole("dialog", { name: "Новый интерфейс" }));
  await user.click(dialog.getByRole("button", { name: "Создать" }));
  await dialog.findByText("Ошибка при создании интерфейса. Сервер не отвечает: away");
  say({
    "POST /admin/servers/{serverId}/create-interface": { success: true, interface: { ...family, name: "Interface 3" } },
  });
  await user.selectOptions(dialog.getByLabelText("Сколько устройств поместится"), "20");
  await user.click(dialog.getByLabelText("IPv6"));
  await user.click(dialog.getByRole("button", { name: "Создать" }));
  await screen.findByText("Interface 3: создан");
  expect(asked("POST /admin/servers/{serverId}/create-interface").map(({ body }) => body)).toEqual([
    { prefix: 24, ipv6: false },
    { prefix: 20, ipv6: true },
  ]);
});

test("where the server's address is IPv6, a new interface carries it unless somebody unticks it, and the dialog says why", async () => {
  const { user, asked } = await open({
    "GET /admin/servers": [server({ defaultEndpoint: "2a01:4f8::9" })],
    "POST /admin/servers/{serverId}/create-interface": { success: true, interface: family },
  });
  await user.click(await screen.findByRole("button", { name: "Создать интерфейс" }));
  const dialog = within(await screen.findByRole("dialog", { name: "Новый интерфейс" }));
  expect(dialog.getByRole<HTMLInputElement>("checkbox", { name: "IPv6" }).checked).toBe(true);
  dialog.getByText(/Если IPv4 у него нет, без этого через VPN не откроется ничего/);
  await user.click(dialog.getByRole("button", { name: "Создать" }));
  await waitFor(() =>
    expect(asked("POST /admin/servers/{serverId}/create-interface").map(({ body }) => body)).toEqual([
      { prefix: 24, ipv6: true },
    ]),
  );
});

test("a change's effect on devices is shown before it is saved", async () => {
  const { user, asked } = await open({ "PUT /admin/wireguard/{serverId}/interfaces/{id}": staffInterface() });
  await act(user, "Interface 1", "Изменить");
  const dialog = within(await screen.findByRole("dialog", { name: "Изменить: Interface 1" }));
  expect(dialog.queryByText(/Файл устареет/)).toBeNull();
  expect(dialog.getByLabelText("Подсеть")).toHaveProperty("readOnly", true);
  expect(dialog.getByText(/в\sней 12\sконфигов/)).toBeTruthy();
  await user.clear(dialog.getByLabelText("Порт UDP"));
  await user.type(dialog.getByLabelText("Порт UDP"), "4500");
  expect(dialog.getByText(/Файл устареет на 9\sустройствах/)).toBeTruthy();
  expect(dialog.getByText(/Со старым файлом они не подключатся/)).toBeTruthy();
  await user.click(dialog.getByLabelText("Интерфейс работает"));
  expect(dialog.getByText(/Сразу отключится: 12\sконфигов/)).toBeTruthy();
  await user.click(dialog.getByRole("button", { name: "Сохранить" }));
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  expect(asked("PUT /admin/wireguard/{serverId}/interfaces/{id}")[0]?.body).toEqual({
    listenPort: 4500,
    isActive: false,
    expected: { listenPort: 51820, isActive: true },
  });
});

test("a refusal that names a field is shown at the field", async () => {
  const { user } = await open({
    "PUT /admin/wireguard/{serverId}/interfaces/{id}": refused(
      409,
      "interface.port_taken",
      "Порт 53 на сервере уже занят.",
      {
        field: "listenPort",
        port: 53,
      },
    ),
  });
  await act(user, "Семья", "Изменить");
  const dialog = within(await screen.findByRole("dialog"));
  await user.clear(dialog.getByLabelText("Порт UDP"));
  await user.type(dialog.getByLabelText("Порт UDP"), "53");
  await user.click(dialog.getByRole("button", { name: "Сохранить" }));
  const said = await dialog.findByText("Порт 53 на сервере уже занят.");
  expect(dialog.getByLabelText("Порт UDP").getAttribute("aria-describedby")).toContain(said.id);
});

test("deleting an empty interface needs a confirmation; with configs, the typed name, and the number lost is sent", async () => {
  const { user, asked, say } = await open({
    "DELETE /admin/servers/{serverId}/interfaces/{interfaceId}": undefined,
  });
  const removals = () => asked("DELETE /admin/servers/{serverId}/interfaces/{interfaceId}");
  await act(user, "Семья", "Удалить");
  await user.click(within(await screen.findByRole("dialog")).getByRole("button", { name: "Удалить" }));
  await screen.findByText("Семья: удалён");
  expect(removals()[0]?.query.get("configs")).toBe("0");

  say({
    "DELETE /admin/servers/{serverId}/interfaces/{interfaceId}": refused(409, "interface.in_use", "", { count: 13 }),
  });
  say({ "GET /vpn/configs": [lost("mac", "Анна"), lost("iphone", "Анна"), lost("tv", "Борис")] });
  await act(user, "Interface 1", "Удалить");
  const dialog = within(await screen.findByRole("dialog", { name: "Удалить: Interface 1?" }));
  expect(dialog.getByText(/12\sконфигов вместе с ключами/)).toBeTruthy();
  await dialog.findByText("Анна: mac, iphone");
  dialog.getByText("Борис: tv");
  dialog.getByText(/ещё 9\sконфигов/);
  const [first] = asked("GET /vpn/configs");
  expect(Object.fromEntries(first?.query ?? [])).toMatchObject({ scope: "all", interfaceId: staffInterface().id });
  const confirm = dialog.getByRole("button", { name: "Удалить навсегда" });
  await user.type(dialog.getByRole("textbox"), "Interface{Enter}");
  expect(removals()).toHaveLength(1);
  await user.type(dialog.getByRole("textbox"), " 1");
  await user.click(confirm);
  await dialog.findByText(/теперь 13\sконфигов/);
  expect(confirm, "what was typed was typed for another number").toHaveProperty("disabled", true);
  say({ "DELETE /admin/servers/{serverId}/interfaces/{interfaceId}": undefined });
  await user.type(dialog.getByRole("textbox"), "Interface 1");
  await user.click(confirm);
  await screen.findByText("Interface 1: удалён");
  expect(removals().map(({ query }) => query.get("configs"))).toEqual(["0", "12", "13"]);
});

describe("devices that would be lost", () => {
  const target = {
    id: uuid(61),
    name: "Семья",
    server: "Хельсинки",
    status: "connected" as const,
    free: 9,
    capacity: 9,
  };
  const plan = { devices: 12, members: 5, keysInBrowser: 0, assigned: 1, targets: [target] };
  const drain: Api["GET /admin/servers/emptyings"]["answer"][number] = {
    kind: "interface",
    from: { id: staffInterface().id, name: "Interface 1" },
    to: { id: uuid(61), name: "Семья" },
    by: "chief",
    state: "running",
    startedAt: new Date().toISOString(),
    endedAt: null,
    total: 12,
    moved: 4,
    stayed: {},
    goesAt: null,
  };

  test("can be moved to another interface first, and the progress is above the list", async () => {
    const { user, asked, say } = await open({
      "GET /admin/servers/interfaces/{id}/emptying": plan,
      "POST /admin/servers/interfaces/{id}/empty": drain,
      "POST /admin/servers/interfaces/{id}/empty/stop": { ...drain, state: "stopped" },
    });
    await act(user, "Interface 1", "Удалить");
    await user.click(await screen.findByRole("button", { name: "Перенести устройства" }));
    const form = within(await screen.findByRole("dialog", { name: "Перенести с интерфейса: Interface 1" }));
    expect((await form.findByLabelText("Куда")).textContent).toBe("Хельсинки · Семья · свободно 9");
    expect(form.getByText("Места хватит не всем: 3 останется здесь.")).toBeTruthy();
    expect(form.getByText(/Выбранный интерфейс получат и те, кому назначен этот: 1\sучастник/)).toBeTruthy();
    say({
      "GET /admin/servers/emptyings": [drain],
      "GET /admin/servers/interfaces": [staffInterface({ takesNew: false })],
    });
    await user.click(form.getByRole("button", { name: "Перенести" }));
    expect(asked("POST /admin/servers/interfaces/{id}/empty")).toMatchObject([
      { path: `/admin/servers/interfaces/${staffInterface().id}/empty`, body: { toInterfaceId: uuid(61) } },
    ]);
    await screen.findByText("Interface 1. Переносим на «Семья»: 4 из 12");
    expect(await screen.findByText("новых конфигов не принимает")).toBeTruthy();
    await user.click(screen.getByRole("button", { name: "Остановить" }));
    await waitFor(() => expect(asked("POST /admin/servers/interfaces/{id}/empty/stop")).toHaveLength(1));
  });

  test("are mentioned as being moved if nothing else is lost", async () => {
    const { user } = await open({
      "GET /admin/servers/interfaces": [staffInterface({ configCount: 0, leavingCount: 3 })],
    });
    await act(user, "Interface 1", "Удалить");
    await screen.findByText(/По прежнему файлу отсюда ещё работает: 3\sустройства/);
  });
});

test.each([
  [
    "Ошибка при обновлении интерфейса",
    "PUT /admin/servers/{serverId}/interfaces/{interfaceId}",
    async (user: User) => {
      await act(user, "Семья", "Переименовать");
      await user.type(await screen.findByLabelText("Новое название: Семья"), "x{Enter}");
    },
  ],
  [
    "Ошибка при удалении интерфейса",
    "DELETE /admin/servers/{serverId}/interfaces/{interfaceId}",
    async (user: User) => {
      await act(user, "Семья", "Удалить");
      await user.click(within(await screen.findByRole("dialog")).getByRole("button", { name: "Удалить" }));
    },
  ],
] as const)("a failure is called as the specification says, with its reason: %s", async (words, key, fail) => {
  const { user } = await open({ [key]: refused(500, "internal", "Внутренняя ошибка.") });
  await fail(user);
  await screen.findByText(`${words}. Внутренняя ошибка.`);
});

test("a list that cannot be loaded says so in the specification's words", async () => {
  await open({ "GET /admin/servers/interfaces": refused(500, "internal") });
  await screen.findByText("Ошибка при загрузке интерфейса");
});

test("a moderator only reads, and can see to whom it is assigned", async () => {
  const { user } = await open(
    {
      "GET /admin/rights": { actions: ["interfaces.see"] },
      "GET /admin/servers/interfaces/{id}/users": [{ userId: uuid(501), username: "vera", displayName: "Вера" }],
    },
    "/admin/interfaces",
    moderator,
  );
  await screen.findByText("Семья");
  expect(screen.getByText("Только просмотр")).toBeTruthy();
  expect(screen.queryByRole("button", { name: "Создать интерфейс" })).toBeNull();
  await user.click(screen.getByRole("button", { name: "Действия: Семья" }));
  expect((await screen.findAllByRole("menuitem")).map((item) => item.textContent)).toEqual(["Кому назначен"]);
  await user.click(screen.getByRole("menuitem"));
  const dialog = within(await screen.findByRole("dialog"));
  await dialog.findByText("vera");
  expect(dialog.queryByRole("combobox")).toBeNull();
  expect(dialog.queryByRole("button", { name: /Убрать/ })).toBeNull();
});

test("a moderator for whom an admin has switched it on renames and assigns, and no more", async () => {
  const { user } = await open(
    { "GET /admin/rights": { actions: ["interfaces.rename", "interfaces.assign"] } },
    "/admin/interfaces",
    moderator,
  );
  await screen.findByText("Семья");
  await waitFor(() => expect(screen.queryByText("Только просмотр")).toBeNull());
  await user.click(screen.getByRole("button", { name: "Действия: Семья" }));
  expect((await screen.findAllByRole("menuitem")).map((item) => item.textContent)).toEqual([
    "Переименовать",
    "Назначить участнику",
  ]);
});

test("a form names its wrong fields and sends only the differences, with what was seen of them", () => {
  const seen = staffInterface();
  const form = formOf(seen);
  expect([...wrongFields(form, seen)]).toEqual([]);
  expect(changeOf(seen, form)).toEqual({});
  const bad = {
    name: " ",
    port: "70000",
    subnet: "8.8.8.0/24",
    endpoint: "a:1",
    mtu: "9000",
    ipv6: false,
    isActive: true,
    takesNew: true,
    routing: "device" as const,
    restExit: "direct",
    exitDown: "wait",
    exitLink: "wireguard" as const,
    amneziawg: {},
  };
  expect([...wrongFields(bad, seen)].sort()).toEqual(["endpoint", "mtu", "name", "port", "subnet"]);
  expect(changeOf(seen, { ...form, mtu: "1400", endpoint: " vpn.example " })).toEqual({
    mtu: 1400,
    endpoint: "vpn.example",
    expected: { mtu: null, endpoint: null },
  });
  expect(changeOf(seen, { ...form, ipv6: true })).toEqual({ ipv6: true, expected: { ipv6: false } });
});

describe("a server's path that carries less than most", () => {
  const narrow = (about: Partial<Interface>, says: Panel = {}, me = admin) =>
    open(
      {
        "GET /admin/servers": [server({ pathMtu: 1460 })],
        "GET /admin/servers/interfaces": [staffInterface(about)],
        ...says,
      },
      "/admin/interfaces",
      me,
    );
  const title = /Interface 1: путь этого сервера пропускает 1460 байт за раз/;

  test("is shown with the MTU that fits and what that costs, and a press sets it", async () => {
    const { user, asked } = await narrow(
      {},
      { "PUT /admin/wireguard/{serverId}/interfaces/{id}": staffInterface({ mtu: 1380 }) },
    );
    await screen.findByText(title);
    screen.getByText(/Файл устареет на 9\sустройствах/);
    await user.click(screen.getByRole("button", { name: "Поставить MTU 1380" }));
    await screen.findByText("Interface 1: MTU 1380");
    expect(asked("PUT /admin/wireguard/{serverId}/interfaces/{id}").map(({ body }) => body)).toEqual([
      { mtu: 1380, expected: { mtu: null } },
    ]);
  });

  test("is shown to a moderator without the button", async () => {
    await narrow({}, {}, moderator);
    await screen.findByText(title);
    expect(screen.queryByRole("button", { name: "Поставить MTU 1380" })).toBeNull();
  });

  test.each<[string, Partial<Interface>]>([
    ["fits already", { mtu: 1380 }],
    ["is switched off", { isActive: false }],
  ])("is not shown for an interface that %s", async (_, about) => {
    await narrow(about);
    await screen.findByRole("row", { name: /Interface 1/ });
    expect(screen.queryByText(title)).toBeNull();
  });

  test("is in the forms with its reason, and a different entry is sent", async () => {
    const { user, asked } = await narrow(
      { mtu: 1380 },
      {
        "POST /admin/servers/{serverId}/create-interface": {
          success: true,
          interface: staffInterface({ name: "Interface 2", mtu: 1300 }),
        },
      },
    );
    const sent = () => asked("POST /admin/servers/{serverId}/create-interface").map(({ body }) => body);
    await act(user, "Interface 1", "Изменить");
    const edit = await screen.findByRole("dialog");
    within(edit).getByText(/пропускает 1460 байт за раз\. Подойдёт 1380\./);
    await user.keyboard("{Escape}");
    await user.click(screen.getByRole("button", { name: "Создать интерфейс" }));
    const field = await screen.findByLabelText("MTU");
    screen.getByText(/пропускает 1460 байт за раз\. Пусто: 1380\./);
    await user.type(field, "9000");
    await user.click(screen.getByRole("button", { name: "Создать" }));
    await screen.findByText("Целое число от 1280 до 1500");
    expect(sent()).toEqual([]);
    await user.clear(field);
    await user.type(field, "1300");
    await user.click(screen.getByRole("button", { name: "Создать" }));
    await screen.findByText("Interface 2: создан");
    expect(sent()).toEqual([{ prefix: 24, ipv6: false, mtu: 1300 }]);
  });
});
