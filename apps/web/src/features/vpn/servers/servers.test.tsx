import { whyOf } from "@krug/contract/reasons";
import { reason } from "@krug/domain/reasons";
import { screen, waitFor, within } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import { screens } from "../../../testing/open-page.tsx";
import { type Panel, refused } from "../../../testing/panel.ts";
import { uuid } from "../../../testing/samples.ts";
import { liveNumbers, rented, server, staffInterface, systemState } from "../../../testing/servers.ts";
import { expectNothingWellInSilence } from "../../../testing/silent-panel.ts";
import { admin, enter, listed } from "../../../testing/staff.ts";

screens();

const open = (says: Panel = {}) =>
  enter("/admin/servers", {
    "GET /admin/servers": [server()],
    "GET /admin/servers/interfaces": [staffInterface()],
    "GET /admin/servers/{id}/refresh": server({ stats: liveNumbers }),
    "GET /admin/servers/user-assignments/{id}": [],
    ...says,
  });
const act = async (user: Awaited<ReturnType<typeof open>>["user"], action: string, name = "Хельсинки") => {
  await user.click(await screen.findByRole("button", { name: `Действия: ${name}` }));
  await user.click(await screen.findByRole("menuitem", { name: action }));
};

test("a server shows its state, its interfaces and what its machine does now", async () => {
  await open();
  const card = within(await screen.findByRole("listitem", { name: /Хельсинки/ }));
  expect(card.getByText("Главный")).toBeTruthy();
  expect(card.getByText("На связи")).toBeTruthy();
  await card.findByText(/^14\s%$/);
  expect(card.getByText(/2,5\sGB из 8,0\sGB/)).toBeTruthy();
  expect(card.getByText(/41\sдень/)).toBeTruthy();
  expect(card.getByText("Финляндия")).toBeTruthy();
  expect(card.getAllByText("12 из 253")).toHaveLength(2);
  expect(card.getByText("применено 11")).toBeTruthy();
  expect(card.getByText("wg0 :51820")).toBeTruthy();
  const link = card.getByRole("link", { name: "Открыть: Интерфейсы, Хельсинки" });
  expect(link.getAttribute("href")).toBe(`/admin/interfaces?server=${uuid(70)}`);
});

test("a card keeps the room of live numbers until they come, and shows ten of many interfaces", async () => {
  const many = Array.from({ length: 12 }, (_, n) => staffInterface({ id: uuid(500 + n), name: `Interface ${n + 1}` }));
  const page = await open({
    "GET /admin/servers": [server({ stats: null })],
    "GET /admin/servers/interfaces": many,
    "GET /admin/servers/{id}/refresh": () => new Promise(() => {}),
  });
  const card = within(await screen.findByRole("listitem", { name: /Хельсинки/ }));
  expect(card.getByText("Процессор").nextElementSibling?.textContent?.trim()).toBe("—");
  expect(await card.findAllByText(/^Interface \d+$/)).toHaveLength(10);
  await page.user.click(card.getByText("Показать все: 12"));
  expect(card.getAllByText(/^Interface \d+$/)).toHaveLength(12);
});

test("of many servers ten are on a page, broken ones first, and only those are asked for live numbers", async () => {
  const many = Array.from({ length: 11 }, (_, n) =>
    server({
      id: uuid(500 + n),
      name: `Рига ${n}`,
      isMain: n === 0,
      ...(n === 10 ? { status: "error" as const } : {}),
    }),
  );
  const { user, asked, address } = await open({ "GET /admin/servers": many });
  const shown = () => screen.getAllByText(/^Рига \d+$/).map(({ textContent }) => textContent);
  await screen.findByText("Рига 10");
  expect(shown()).toHaveLength(10);
  expect(shown()[0]).toBe("Рига 10");
  await waitFor(() => expect(asked("GET /admin/servers/{id}/refresh").length).toBeGreaterThan(0));
  expect(new Set(asked("GET /admin/servers/{id}/refresh").map(({ path }) => path)).size).toBeLessThanOrEqual(10);

  await user.click(screen.getByText("Дальше"));
  expect(await screen.findByText(/^2\sиз\s2$/)).toBeTruthy();
  await user.type(screen.getByLabelText("Название или адрес"), "рига 7");
  await waitFor(() => expect(shown()).toEqual(["Рига 7"]));
  await waitFor(() => expect(address()).toBe("/admin/servers?q=%D1%80%D0%B8%D0%B3%D0%B0+7"));
});

/** Helsinki's traffic leaves by Warsaw. */
const openWithExit = (state: "up" | "down" | "stuck" | "missing", why = reason("ssh.lost", {}, "no route to host")) => {
  const [entry, exit] = [server(), server({ id: uuid(71), name: "Варшава", isMain: false })];
  const link = {
    entryId: entry.id,
    entryName: entry.name,
    exitId: exit.id,
    exitName: exit.name,
    state,
    downSince: state === "up" || state === "missing" ? null : new Date(Date.now() - 5 * 60_000).toISOString(),
    problems: state === "up" ? [] : [{ server: exit.name, why: whyOf(why) }],
    port: state === "missing" ? null : 52820,
  };
  const exits = { servers: [{ id: exit.id, name: exit.name }], links: [link] };
  return open({ "GET /admin/servers": [entry, exit], "GET /admin/exits": exits });
};
const cardOf = (name: RegExp) => within(screen.getByRole("listitem", { name }));

test("an exit that does not answer says so on the card of the server that leaves by it, with the port to open", async () => {
  await openWithExit("down");
  await screen.findByText("Выход «Варшава» не отвечает");
  expect(cardOf(/Хельсинки/).getByText(/Началось 5\sминут назад/)).toBeTruthy();
  expect(cardOf(/Хельсинки/).getByText(/UDP-порт 52820/)).toBeTruthy();
  expect(cardOf(/Хельсинки/).getByText(/no route to host/)).toBeTruthy();
  expect(cardOf(/Варшава/).queryByText(/не отвечает/)).toBeNull();
});

test("an exit that is not created yet says what it lacks, without a port to open", async () => {
  await openWithExit("missing", reason("exit.unresolved", { name: "warsaw.example" }));
  await screen.findByText("Выход «Варшава» ещё не создан");
  expect(cardOf(/Хельсинки/).getByText(/warsaw\.example/)).toBeTruthy();
  expect(cardOf(/Хельсинки/).queryByText(/UDP-порт/)).toBeNull();
});

test("an exit without internet says so and not that a port is closed", async () => {
  await openWithExit("stuck");
  await screen.findByText("У выхода «Варшава» нет интернета");
  expect(cardOf(/Хельсинки/).queryByText(/UDP-порт/)).toBeNull();
});

test("cards name the exits of a server, and whose exit it is", async () => {
  await openWithExit("up");
  expect((await screen.findByText("Выходы")).nextSibling?.textContent).toBe("Варшава");
  expect(cardOf(/Хельсинки/).getByText("Выходы")).toBeTruthy();
  expect(cardOf(/Варшава/).getByText("Выход для").nextSibling?.textContent).toBe("Хельсинки");
  expect(screen.queryByText(/не отвечает/)).toBeNull();
});

test("live numbers are refetched every 30 s by a timer, and at once by a press", async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  try {
    const { user, asked, say } = await open();
    await screen.findByText(/^14\s%$/);
    expect(screen.getByText("появится через полминуты")).toBeTruthy();
    const later = {
      ...liveNumbers,
      readAt: new Date(Date.parse(liveNumbers.readAt) + 30_000).toISOString(),
      network_in: liveNumbers.network_in + 75_000_000,
      network_out: liveNumbers.network_out + 37_500_000,
    };
    say({ "GET /admin/servers/{id}/refresh": server({ stats: later }) });
    const refreshes = () => asked("GET /admin/servers/{id}/refresh");
    const before = refreshes().length;
    await vi.advanceTimersByTimeAsync(30_500);
    await waitFor(() => expect(refreshes().length).toBe(before + 1));
    expect(await screen.findByText("приём 20 Мбит/с, отдача 10 Мбит/с")).toBeTruthy();
    expect(refreshes().at(-1)?.headers.get("x-background")).toBe("1");
    await user.click(screen.getByRole("button", { name: "Обновить: Хельсинки" }));
    await waitFor(() => expect(refreshes().length).toBe(before + 2));
  } finally {
    vi.useRealTimers();
  }
});

test("a server that does not answer says why, since when, and that nothing is lost; its numbers are marked as old", async () => {
  await open({
    "GET /admin/servers": [
      server({
        status: "error",
        why: whyOf(reason("ssh.lost", {}, "no route to host")),
        errorSince: new Date(Date.now() - 17 * 60_000).toISOString(),
        stats: { ...liveNumbers, readAt: new Date(Date.now() - 17 * 60_000).toISOString() },
      }),
    ],
    "GET /admin/servers/{id}/refresh": refused(503, "server.unreachable", "Сервер не отвечает: no route to host"),
  });
  const alert = await screen.findByRole("alert");
  expect(alert.textContent).toMatch(
    /17\sминут назад.*соединение оборвалось.*no route to host.*применятся, когда сервер ответит/,
  );
  // The reason stands once.
  await screen.findByText("Не получилось прочитать показатели");
  expect(screen.getByText(/^показатели: 17\sминут назад$/)).toBeTruthy();
});

test("a list that cannot be loaded says so in the specification's words", async () => {
  await open({ "GET /admin/servers": refused(500, "internal", "Внутренняя ошибка.") });
  await screen.findByText("Ошибка при загрузке серверов");
  expect(screen.getByText("Внутренняя ошибка.")).toBeTruthy();
});

test("without a server the page says what prevents the panel's own host from being one", async () => {
  await open({
    "GET /admin/servers": [],
    "GET /admin/system": systemState({
      local: { backend: null, reason: "", why: whyOf(reason("local.no_room")), problems: [], install: null },
    }),
  });
  const lead = await screen.findByText(/Сейчас не может:/);
  expect(lead.textContent).toBe(`Сейчас не может: ${whyOf(reason("local.no_room")).ru}`);
});

test("a machine behind NAT asks for the address that devices connect to", async () => {
  const { user } = await open({ "GET /admin/servers": [server({ endpoint: null, defaultEndpoint: null })] });
  await screen.findByText(/^Эта машина знает только адрес в локальной сети/);
  await user.click(screen.getByRole("button", { name: "Указать адрес подключения: Хельсинки" }));
  const dialog = within(await screen.findByRole("dialog", { name: "Изменить: Хельсинки" }));
  expect(dialog.getByLabelText("Адрес подключения")).toBeTruthy();
});

test("changing the endpoint shows before saving whose files become outdated; only differences are sent", async () => {
  const { user, asked } = await open({ "PUT /admin/servers/{id}": server() });
  await act(user, "Изменить");
  const dialog = within(await screen.findByRole("dialog", { name: "Изменить: Хельсинки" }));
  const field = dialog.getByLabelText("Адрес подключения");
  expect(dialog.queryByText(/Файл устареет/)).toBeNull();
  await user.type(field, "198.51.100.7");
  expect(dialog.queryByText(/Файл устареет/), "the same address in other words").toBeNull();
  await user.clear(field);
  await user.type(field, "vpn.example.org:1");
  await user.click(dialog.getByRole("button", { name: "Сохранить" }));
  await dialog.findByText("Имя или IP-адрес без порта, например vpn.example.org");
  expect(asked("PUT /admin/servers/{id}")).toHaveLength(0);
  await user.clear(field);
  await user.type(field, "vpn.example.org");
  expect(dialog.getByText(/Файл устареет на 9\sустройствах/)).toBeTruthy();
  await user.click(dialog.getByRole("button", { name: "Сохранить" }));
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  expect(asked("PUT /admin/servers/{id}")[0]?.body).toEqual({
    endpoint: "vpn.example.org",
    expected: { name: "Хельсинки", endpoint: null },
  });
});

test("saving over another's change notifies, keeps what was typed, and then allows saving", async () => {
  const { user, asked, say } = await open({
    "PUT /admin/servers/{id}": refused(409, "server.changed_meanwhile", "изменили", { fields: ["name"] }),
  });
  await act(user, "Изменить");
  const dialog = within(await screen.findByRole("dialog"));
  const name = dialog.getByLabelText("Название");
  await user.clear(name);
  await user.type(name, "Мой");
  say({ "GET /admin/servers": [server({ name: "Чужой", endpoint: "their.example.org" })] });
  await user.click(dialog.getByRole("button", { name: "Сохранить" }));
  await dialog.findByText("Пока вы редактировали, сервер изменил другой сотрудник");
  await dialog.findByText("Название: Чужой");
  expect((name as HTMLInputElement).value).toBe("Мой");
  // Untouched fields follow the other's change, so that saving does not undo it.
  expect(dialog.getByDisplayValue("their.example.org")).toBeTruthy();
  say({ "PUT /admin/servers/{id}": server({ name: "Мой" }) });
  await user.click(dialog.getByRole("button", { name: "Сохранить" }));
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  expect(asked("PUT /admin/servers/{id}").at(-1)?.body).toEqual({
    name: "Мой",
    expected: { name: "Чужой", endpoint: "their.example.org" },
  });
});

test.each([
  ["server.is_local", /работает сама панель/],
  ["server.is_main", /Сначала сделайте главным другой/],
  ["server.in_use", /На нём 12\sконфигов/],
] as const)("why a server cannot be deleted is said instead of a button that does nothing: %s", async (why, words) => {
  const { user, asked } = await open({ "GET /admin/servers": [server({ whyNotDeleted: why })] });
  await act(user, "Удалить");
  const dialog = within(await screen.findByRole("dialog", { name: "Хельсинки: удалить нельзя" }));
  expect(dialog.getByText(words)).toBeTruthy();
  await user.click(dialog.getByRole("button", { name: "Понятно" }));
  expect(asked("DELETE /admin/servers/{id}")).toHaveLength(0);
});

test("deleting one needs a confirmation, and so does making another one main", async () => {
  const { user, asked } = await open({
    "GET /admin/servers": [server(), server({ id: uuid(71), name: "Старый", isMain: false, status: "silent" })],
    "DELETE /admin/servers/{id}": undefined,
    "PUT /admin/servers/{id}/set-main": server({ id: uuid(71), name: "Старый" }),
  });
  await act(user, "Сделать главным", "Старый");
  await user.click(within(await screen.findByRole("dialog")).getByRole("button", { name: "Сделать главным" }));
  await screen.findByText("Старый: теперь главный сервер");
  await act(user, "Удалить", "Старый");
  expect(asked("DELETE /admin/servers/{id}")).toHaveLength(0);
  await user.click(within(await screen.findByRole("dialog")).getByRole("button", { name: "Удалить" }));
  await screen.findByText("Старый: удалён");
  expect(asked("DELETE /admin/servers/{id}")[0]?.path).toBe(`/admin/servers/${uuid(71)}`);
});

test("a machine over SSH is cleaned too, unless that is not wanted or not possible", async () => {
  const done = rented({
    needsSetup: false,
    isSetupComplete: true,
    credentials: { ...rented().credentials!, hasPassword: false },
  });
  const left = { isClean: true, removed: ["tunnels"], kept: ["nftables"], reason: null, why: null };
  const { user, asked } = await open({
    "GET /admin/servers": [server(), done, rented({ id: uuid(74), name: "Осло", status: "error", problem: "silent" })],
    "POST /admin/servers/{id}/leave": left,
    "DELETE /admin/servers/{id}": undefined,
  });
  const confirm = async () =>
    user.click(within(await screen.findByRole("dialog")).getByRole("button", { name: "Удалить" }));
  const choice = async () => within(await screen.findByRole("dialog")).getByRole("checkbox") as HTMLInputElement;
  await act(user, "Удалить", "Осло");
  expect([(await choice()).checked, (await choice()).disabled]).toEqual([false, true]);
  await confirm();
  await screen.findByText("Осло: удалён");
  expect(asked("POST /admin/servers/{id}/leave")).toHaveLength(0);
  await act(user, "Удалить", "Стокгольм");
  expect((await choice()).checked).toBe(true);
  await confirm();
  await screen.findByText("Стокгольм: удалён. На машине остались нужные другим пакеты: nftables");
  expect(asked("POST /admin/servers/{id}/leave")).toHaveLength(1);
  expect(asked("DELETE /admin/servers/{id}")).toHaveLength(1);
});

test("a server is assigned to a member who was searched for, and unassigned with an undo button", async () => {
  const vera = { userId: uuid(501), username: "vera", displayName: "Вера" };
  const { user, asked } = await open({
    "GET /users": [listed(2, { id: uuid(502), username: "anton", displayName: "Антон" })],
    "GET /admin/servers/user-assignments/{id}": [vera],
    "POST /admin/servers/assign": { userId: uuid(502), username: "anton", displayName: "Антон" },
    "DELETE /admin/servers/assign/{userId}/{serverId}": undefined,
  });
  await act(user, "Кому назначен");
  const dialog = within(await screen.findByRole("dialog", { name: "Кому назначен: Хельсинки" }));
  await dialog.findByText("vera");
  await user.click(dialog.getByRole("button", { name: "Назначить" }));
  await dialog.findByText("Выберите участника");
  await user.type(dialog.getByRole("combobox", { name: "Участник" }), "ант");
  await dialog.findByRole("option", { name: /Антон/ });
  await user.keyboard("{Enter}");
  // Enter waits for the results of what was typed.
  await waitFor(() => expect((dialog.getByRole("combobox") as HTMLInputElement).value).toBe("Антон"));
  await user.click(dialog.getByRole("button", { name: "Назначить" }));
  await dialog.findByText("Антон: назначено");
  expect(asked("POST /admin/servers/assign")[0]?.body).toEqual({ userId: uuid(502), serverId: uuid(70) });
  expect(dialog.getAllByRole("listitem").map((row) => row.textContent)).toEqual(["Антонanton", "Вераvera"]);
  await user.click(dialog.getByRole("button", { name: "Убрать: Вера" }));
  await user.click(await dialog.findByRole("button", { name: "Вернуть" }));
  await dialog.findByRole("button", { name: "Убрать: Вера" });
  expect(asked("DELETE /admin/servers/assign/{userId}/{serverId}")[0]?.path).toContain(vera.userId);
  expect(asked("POST /admin/servers/assign").at(-1)?.body).toEqual({ userId: vera.userId, serverId: uuid(70) });
});

test("a server that forwards nothing names the rule and the commands that open it; one press makes the panel open it", async () => {
  const cause = {
    by: "docker" as const,
    chain: "iptables-nft FORWARD",
    rule: null,
    ways: ["out" as const],
    families: [4 as const],
    isSure: true,
    opening: "iptables -I DOCKER-USER -i wg0 -j ACCEPT",
  };
  const forwarding = {
    state: "refused" as const,
    since: new Date().toISOString(),
    causes: [cause],
    failure: null,
    why: null,
  };
  const { user, asked, say } = await open({
    "GET /admin/servers": [server({ forwarding })],
    "PUT /admin/servers/{id}": server({ opensForwarding: true }),
  });
  const banner = within(await screen.findByRole("alert"));
  expect(banner.getByText("Сервер не пропускает трафик участников")).toBeTruthy();
  expect(banner.getByText("Запрещает Docker, цепочка iptables-nft FORWARD.")).toBeTruthy();
  expect(banner.getByText("iptables -I DOCKER-USER -i wg0 -j ACCEPT")).toBeTruthy();
  await user.click(banner.getByRole("button", { name: "Открыть" }));
  const dialog = within(await screen.findByRole("dialog", { name: "Открыть пересылку: Хельсинки?" }));
  say({ "GET /admin/servers": [server({ opensForwarding: true })] });
  await user.click(dialog.getByRole("button", { name: "Открыть" }));
  await screen.findByText("Пересылка открыта: Хельсинки");
  expect(asked("PUT /admin/servers/{id}")[0]?.body).toEqual({ opensForwarding: true });
  say({ "PUT /admin/servers/{id}": server() });
  await user.click(await screen.findByRole("button", { name: "Больше не держать" }));
  await screen.findByText("Панель убрала свои разрешения: Хельсинки");
  expect(asked("PUT /admin/servers/{id}")[1]?.body).toEqual({ opensForwarding: false });
});

test("a server that does not follow services' names says why and what installs it", async () => {
  const install = "apt-get install -y dnsmasq-base";
  const namesUnresolved = whyOf(reason("names.no_program", { install }));
  await open({ "GET /admin/servers": [server({ namesUnresolved })] });
  await screen.findByText("Сервер не следит за именами сервисов сам");
  expect(screen.getByText(new RegExp(install))).toBeTruthy();
});

test("a server that limits nobody's speed says why", async () => {
  const speedsUnlimited = whyOf(reason("program.not_found", { program: "tc" }));
  await open({ "GET /admin/servers": [server({ speedsUnlimited })] });
  await screen.findByText("Сервер не ограничивает скорость");
});

test("a server that the panel could not open shows what its machine answered", async () => {
  const failure = "nft: Operation not permitted";
  const forwarding = {
    state: "suspected" as const,
    since: new Date().toISOString(),
    causes: [],
    failure,
    why: whyOf(reason("machine.said", {}, failure)),
  };
  await open({ "GET /admin/servers": [server({ forwarding, opensForwarding: true })] });
  const banner = within(await screen.findByRole("alert"));
  expect(banner.getByText(failure)).toBeTruthy();
  expect(banner.queryByRole("button", { name: "Открыть" })).toBeNull();
});

test("an admin viewing as a moderator has no servers among the sections", async () => {
  await open();
  expect(admin.role).toBe("admin");
  const sections = within(await screen.findByRole("navigation", { name: "Разделы панели управления" }));
  expect(sections.getByRole("link", { name: "Серверы" })).toBeTruthy();
});

test("while the panel is silent, no server and no interface is shown as connected", async () => {
  await open();
  await screen.findByText("wg0 :51820");
  await expectNothingWellInSilence();
});
