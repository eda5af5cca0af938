import { screen, waitFor, within } from "@testing-library/react";
import { expect, test } from "vitest";
import { screens } from "../../../testing/open-page.tsx";
import { type Panel, refused } from "../../../testing/panel.ts";
import { uuid } from "../../../testing/samples.ts";
import { liveNumbers, server, staffInterface } from "../../../testing/servers.ts";
import { enter } from "../../../testing/staff.ts";
import type { Drain } from "./queries.ts";

screens();

const target = {
  id: uuid(71),
  name: "Стокгольм",
  server: null,
  status: "connected" as const,
  free: 200,
  capacity: 253,
};
const plan = { devices: 12, members: 5, keysInBrowser: 0, assigned: 0, targets: [target] };
const drain = (about: Partial<Drain> = {}): Drain => ({
  kind: "server",
  from: { id: uuid(70), name: "Хельсинки" },
  to: { id: uuid(71), name: "Стокгольм" },
  by: "chief",
  state: "running",
  startedAt: new Date().toISOString(),
  endedAt: null,
  total: 12,
  moved: 4,
  stayed: {},
  goesAt: null,
  ...about,
});
const open = (says: Panel = {}) =>
  enter("/admin/servers", {
    "GET /admin/servers": [server()],
    "GET /admin/servers/interfaces": [staffInterface()],
    "GET /admin/servers/{id}/refresh": server({ stats: liveNumbers }),
    "GET /admin/servers/emptyings": [],
    "GET /admin/servers/{id}/emptying": plan,
    ...says,
  });
const act = async (user: Awaited<ReturnType<typeof open>>["user"], action: string) => {
  await user.click(await screen.findByRole("button", { name: "Действия: Хельсинки" }));
  await user.click(await screen.findByRole("menuitem", { name: action }));
};
const dialog = async () => within(await screen.findByRole("dialog", { name: "Перенести с сервера: Хельсинки" }));

test("before devices move the dialog says how many, whose, what they will find, and what happens to the server", async () => {
  const { user, asked } = await open({ "POST /admin/servers/{id}/empty": drain() });
  await act(user, "Перенести устройства");
  const form = await dialog();
  await form.findByText(/^12\sконфигов, 5\sучастников/);
  expect(form.getByText(/^Названия и ключи останутся/)).toBeTruthy();
  expect(form.getByText(/Новых конфигов на этом сервере не будет.*Главным станет выбранный сервер/)).toBeTruthy();
  await user.click(form.getByRole("button", { name: "Перенести" }));
  await screen.findByText("Хельсинки: перенос начат");
  expect(asked("POST /admin/servers/{id}/empty").map(({ body }) => body)).toEqual([{ toServerId: uuid(71) }]);
});

test("a server that answers and has most room is offered first; too little room and devices that stay are reported", async () => {
  const { user } = await open({
    "GET /admin/servers/{id}/emptying": {
      ...plan,
      keysInBrowser: 2,
      assigned: 3,
      targets: [
        { ...target, id: uuid(72), name: "Рига", status: "error", free: 250 },
        { ...target, free: 7 },
      ],
    },
  });
  await act(user, "Перенести устройства");
  const form = await dialog();
  expect((await form.findByLabelText<HTMLSelectElement>("Куда")).value).toBe(uuid(71));
  expect(form.getByText("Места хватит не всем: 3 останется здесь.")).toBeTruthy();
  expect(form.getByText(/ключ есть только у владельца: 2/)).toBeTruthy();
  expect(form.getByText(/получат и те, кому назначен этот: 3\sучастника/)).toBeTruthy();
  await user.selectOptions(form.getByLabelText("Куда"), "Рига · не отвечает");
  expect(form.queryByText(/Места хватит не всем/)).toBeNull();
});

test("without another server there is no button", async () => {
  const { user } = await open({ "GET /admin/servers/{id}/emptying": { ...plan, targets: [] } });
  await act(user, "Перенести устройства");
  const form = await dialog();
  await form.findByText(/^Переносить некуда/);
  expect(form.queryByRole("button", { name: "Перенести" })).toBeNull();
});

test("what prevents a server's deletion can be moved from there", async () => {
  const { user } = await open({ "GET /admin/servers": [server({ whyNotDeleted: "server.in_use" })] });
  await act(user, "Удалить");
  await user.click(await screen.findByRole("button", { name: "Перенести устройства" }));
  await (await dialog()).findByText(/^12\sконфигов/);
});

test("its card shows the progress, and can stop it", async () => {
  const { user, asked, say } = await open({
    "GET /admin/servers": [server({ takesNew: false })],
    "GET /admin/servers/emptyings": [drain()],
    "POST /admin/servers/{id}/empty/stop": drain({ state: "stopped" }),
  });
  await screen.findByText("Переносим на «Стокгольм»: 4 из 12");
  expect(screen.getByText(/^Кто начал: chief/)).toBeTruthy();
  expect(screen.queryByRole("button", { name: "Принимать снова: Хельсинки" })).toBeNull();
  say({ "GET /admin/servers/emptyings": [drain({ state: "stopped", moved: 6 })] });
  await user.click(screen.getByRole("button", { name: "Остановить" }));
  await screen.findByText("Перенос на «Стокгольм» остановлен: 6 из 12");
  expect(asked("POST /admin/servers/{id}/empty/stop")).toHaveLength(1);
});

test("after its end it says what stayed and why, and the server can be opened again", async () => {
  const { user, asked } = await open({
    "GET /admin/servers": [server({ takesNew: false })],
    "GET /admin/servers/emptyings": [drain({ state: "done", moved: 9, stayed: { full: 1, key_in_browser: 2 } })],
    "PUT /admin/servers/{id}": server({ takesNew: true }),
  });
  await screen.findByText("Перенесено на «Стокгольм»: 9");
  expect(screen.getByText(/^Осталось 1: не хватило/)).toBeTruthy();
  expect(screen.getByText(/^Осталось 2: ключ есть только у владельца/)).toBeTruthy();
  await user.click(screen.getByRole("button", { name: "Принимать снова: Хельсинки" }));
  await screen.findByText("Хельсинки: снова принимает новые");
  expect(asked("PUT /admin/servers/{id}")[0]?.body).toEqual({ takesNew: true });
});

test("one press closes a server to new configs, and a refusal is reported", async () => {
  const { user, asked, say } = await open({ "PUT /admin/servers/{id}": server({ takesNew: false }) });
  await act(user, "Закрыть для новых конфигов");
  await screen.findByText("Хельсинки: новых не принимает");
  expect(asked("PUT /admin/servers/{id}")[0]?.body).toEqual({ takesNew: false });
  say({ "PUT /admin/servers/{id}": refused(500, "internal", "Внутренняя ошибка.") });
  await act(user, "Закрыть для новых конфигов");
  await waitFor(() => screen.getByText("Не получилось изменить сервер. Внутренняя ошибка."));
});
