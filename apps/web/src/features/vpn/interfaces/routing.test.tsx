import { screen, waitFor, within } from "@testing-library/react";
import { expect, test } from "vitest";
import { screens } from "../../../testing/open-page.tsx";
import { type Panel, refused } from "../../../testing/panel.ts";
import { uuid } from "../../../testing/samples.ts";
import { server, staffInterface } from "../../../testing/servers.ts";
import { admin, enter } from "../../../testing/staff.ts";

screens();

const NO_KERNEL = "Этот сервер не может маршрутизировать трафик участников: туннели работают без ядра.";
const open = async (says: Panel = {}) => {
  const page = await enter(
    "/admin/interfaces",
    {
      "GET /admin/servers": [server()],
      "GET /admin/servers/interfaces": [staffInterface({ toDownload: 4 })],
      "GET /admin/rights": { actions: ["interfaces.see", "interfaces.change"] },
      "GET /admin/servers/emptyings": [],
      "GET /admin/exits": { servers: [{ id: uuid(71), name: "Хельсинки" }], links: [] },
      ...says,
    },
    admin,
  );
  const pick = (dialog: ReturnType<typeof within>, name: string) =>
    page.user.click(dialog.getByRole("radio", { name }));
  return { ...page, pick };
};
const edit = async (user: Awaited<ReturnType<typeof open>>["user"]) => {
  await user.click(await screen.findByRole("button", { name: "Действия: Interface 1" }));
  await user.click(await screen.findByRole("menuitem", { name: "Изменить" }));
  return within(await screen.findByRole("dialog"));
};
const create = async (user: Awaited<ReturnType<typeof open>>["user"]) => {
  await user.click(await screen.findByRole("button", { name: "Создать интерфейс" }));
  return within(await screen.findByRole("dialog"));
};

test("an interface whose server decides is shown as such in the list, with its exits and how they stand", async () => {
  const link = { entryId: server().id, entryName: "", exitId: uuid(71), downSince: null, problems: [], port: 52_820 };
  const links = [
    { ...link, exitName: "Хельсинки", state: "up" as const },
    { ...link, exitId: uuid(72), exitName: "Рига", state: "stuck" as const },
    { ...link, entryId: uuid(73), exitName: "Осло", state: "up" as const },
  ];
  await open({
    "GET /admin/servers/interfaces": [staffInterface({ routing: "server" })],
    "GET /admin/exits": { servers: [], links },
  });
  await screen.findByText("→ выход «Хельсинки», отвечает");
  const text = (await screen.findByRole("row", { name: /Interface 1/ })).textContent;
  expect(text).toContain("решает сервер");
  expect(text).toContain("→ выход «Рига», без интернета");
  expect(text).not.toContain("Осло");
});

test("the form says what the choice means: one new file at the change, and afterwards none", async () => {
  const { user, pick, asked } = await open({
    "PUT /admin/wireguard/{serverId}/interfaces/{id}": staffInterface({ routing: "server" }),
  });
  const dialog = await edit(user);
  expect(dialog.getByRole("group", { name: "Кто решает, что идёт через VPN" })).toBeTruthy();
  expect(dialog.queryByText(/^Остальной трафик/)).toBeNull();
  await pick(dialog, "Сервер");
  expect(dialog.getByText(/Файл устареет на 4\sустройствах/)).toBeTruthy();
  expect(dialog.getByText(/Скачать нужно один раз/)).toBeTruthy();
  const rest = dialog.getByLabelText("Остальной трафик, кроме выбранных сервисов");
  await user.selectOptions(rest, "Закрыт");
  expect(dialog.getByText(/открываются только выбранные сервисы/)).toBeTruthy();
  await user.click(dialog.getByRole("button", { name: "Сохранить" }));
  await waitFor(() => expect(asked("PUT /admin/wireguard/{serverId}/interfaces/{id}")).toHaveLength(1));
  expect(asked("PUT /admin/wireguard/{serverId}/interfaces/{id}")[0]?.body).toEqual({
    routing: "server",
    restExit: "closed",
    expected: { routing: "device", restExit: "direct" },
  });
});

test("the rest may leave by another server, and the form says what happens while that does not answer", async () => {
  const { user, pick, asked } = await open({
    "PUT /admin/wireguard/{serverId}/interfaces/{id}": staffInterface({ routing: "server" }),
  });
  const dialog = await edit(user);
  await pick(dialog, "Сервер");
  const choose = async (field: string, option: string) =>
    user.selectOptions(await dialog.findByLabelText(field), await dialog.findByRole("option", { name: option }));
  await choose("Остальной трафик, кроме выбранных сервисов", "Через сервер «Хельсинки»");
  expect(dialog.getByText(/Наружу мимо него не уйдёт ничего/)).toBeTruthy();
  await choose("Если выход не отвечает", "Выпускать напрямую");
  expect(dialog.getByText(/сайты увидят его адрес/)).toBeTruthy();
  expect(dialog.getByText(/некоторые сети его блокируют/)).toBeTruthy();
  await choose("Туннель к выходам", "AmneziaWG");
  expect(dialog.getByText(/для сетей, которые блокируют WireGuard/)).toBeTruthy();
  await user.click(dialog.getByRole("button", { name: "Сохранить" }));
  await waitFor(() => expect(asked("PUT /admin/wireguard/{serverId}/interfaces/{id}")).toHaveLength(1));
  expect(asked("PUT /admin/wireguard/{serverId}/interfaces/{id}")[0]?.body).toMatchObject({
    routing: "server",
    restExit: uuid(71),
    exitDown: "direct",
    exitLink: "amneziawg",
  });
});

test("a machine that cannot route is named at the choice, and the reason goes with another choice", async () => {
  const { user, pick } = await open({
    "PUT /admin/wireguard/{serverId}/interfaces/{id}": refused(409, "interface.cannot_route", NO_KERNEL),
  });
  const dialog = await edit(user);
  await pick(dialog, "Сервер");
  await user.click(dialog.getByRole("button", { name: "Сохранить" }));
  expect(await dialog.findAllByText(NO_KERNEL)).toHaveLength(1);
  await pick(dialog, "Файл на устройстве");
  expect(dialog.queryByText(NO_KERNEL)).toBeNull();
});

test("a new interface can be made so", async () => {
  const { user, pick, asked, say } = await open({
    "POST /admin/servers/{serverId}/create-interface": refused(409, "interface.cannot_route", NO_KERNEL),
  });
  const dialog = await create(user);
  await user.type(await dialog.findByLabelText(/^Название/), "Видео");
  await pick(dialog, "Сервер");
  const submit = () => user.click(dialog.getByRole("button", { name: "Создать" }));
  await submit();
  expect(await dialog.findAllByText(NO_KERNEL)).toHaveLength(1);
  expect(dialog.getByLabelText<HTMLInputElement>(/^Название/).value).toBe("Видео");
  say({
    "POST /admin/servers/{serverId}/create-interface": {
      success: true,
      interface: staffInterface({ name: "Видео", routing: "server" }),
    },
  });
  await submit();
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  expect(asked("POST /admin/servers/{serverId}/create-interface").at(-1)?.body).toEqual({
    name: "Видео",
    prefix: 24,
    ipv6: false,
    routing: "server",
    restExit: "direct",
    exitDown: "wait",
    exitLink: "wireguard",
  });
});
