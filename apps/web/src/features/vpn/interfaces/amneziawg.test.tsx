import { whyOf } from "@krug/contract/reasons";
import { reason } from "@krug/domain/reasons";
import { amneziaFieldsOf, amneziaMtu, amneziaValue } from "@krug/wireguard/amneziawg";
import { generateProfile } from "@krug/wireguard/amneziawg-generator";
import { screen, waitFor, within } from "@testing-library/react";
import { expect, test } from "vitest";
import { screens } from "../../../testing/open-page.tsx";
import { type Panel, refused } from "../../../testing/panel.ts";
import { inDays, uuid } from "../../../testing/samples.ts";
import { server, staffInterface } from "../../../testing/servers.ts";
import { admin, enter } from "../../../testing/staff.ts";

screens();

const profile = generateProfile("2.0", "dns", (below) => Math.floor(below / 2));
const parameters = Object.fromEntries(
  amneziaFieldsOf("2.0").map(({ key, name, toText }) => [key, toText(amneziaValue(profile, name))]),
);
const hidden = staffInterface({
  type: "amneziawg",
  amneziawg: { version: "2.0", parameters, mtu: amneziaMtu(profile) },
  toDownload: 9,
});
const open = (says: Panel = {}) =>
  enter(
    "/admin/interfaces",
    {
      "GET /admin/servers": [server()],
      "GET /admin/servers/interfaces": [hidden],
      "GET /admin/rights": {
        actions: ["interfaces.see", "interfaces.rename", "interfaces.assign", "interfaces.change"],
      },
      "GET /admin/servers/emptyings": [],
      "GET /admin/servers/{id}/amneziawg": { lacks: null, why: null, module: null },
      ...says,
    },
    admin,
  );
const act = async (user: Awaited<ReturnType<typeof open>>["user"], action: string) => {
  await user.click(await screen.findByRole("button", { name: "Действия: Interface 1" }));
  await user.click(await screen.findByRole("menuitem", { name: action }));
  return within(await screen.findByRole("dialog"));
};
const change = "PUT /admin/wireguard/{serverId}/interfaces/{id}";

test("an AmneziaWG interface is marked as such in the list", async () => {
  await open();
  expect((await screen.findByRole("row", { name: /Interface 1/ })).textContent).toContain("AmneziaWG 2.0");
});

test("a new one asks for its look and its version; what its machine lacks is shown first", async () => {
  const { user, asked } = await open({
    "GET /admin/servers/{id}/amneziawg": { lacks: "", why: whyOf(reason("lack.tun")), module: "1.0.0" },
    "POST /admin/servers/{serverId}/create-interface": { success: true, interface: hidden },
  });
  await user.click(await screen.findByRole("button", { name: "Создать интерфейс" }));
  const dialog = within(await screen.findByRole("dialog"));
  expect(dialog.queryByLabelText("На что похож")).toBeNull();
  await user.click(dialog.getByRole("radio", { name: "AmneziaWG" }));
  await dialog.findByText("движок панели или /dev/net/tun использовать нельзя");
  dialog.getByText(/модуль ядра amneziawg 1\.0\.0/);
  await user.selectOptions(dialog.getByLabelText("На что похож"), "На QUIC");
  dialog.getByText(/AmneziaVPN 5\.0\.1\.5/);
  await user.click(dialog.getByRole("radio", { name: /^2\.0/ }));
  dialog.getByText(/AmneziaVPN 4\.8\.12\.9/);
  await user.click(dialog.getByRole("button", { name: "Создать" }));
  await waitFor(() =>
    expect(asked("POST /admin/servers/{serverId}/create-interface").map(({ body }) => body)).toEqual([
      { prefix: 24, ipv6: false, amneziawg: { preset: "quic", version: "2.0" } },
    ]),
  );
});

test("parameters are checked as they are typed, and a wrong one sends nothing", async () => {
  const { user, asked } = await open();
  const dialog = await act(user, "Изменить");
  await user.click(dialog.getByRole("button", { name: "Параметры AmneziaWG" }));
  const most = await dialog.findByLabelText(/Jmax/);
  await user.clear(most);
  await user.type(most, "1");
  dialog.getByText("Jmax: должен быть больше, чем Jmin");
  await user.clear(most);
  await user.type(most, "many");
  dialog.getByText("Jmax: записан неверно");
  await user.click(dialog.getByRole("button", { name: "Сохранить" }));
  dialog.getByText("Исправьте параметры AmneziaWG");
  expect(asked(change)).toHaveLength(0);
});

test("a parameter that devices need not know is sent by itself; others first show how many devices are cut off", async () => {
  const { user, asked } = await open({ [change]: refused(409, "interface.cuts_off", "Их теперь 10", { count: 10 }) });
  const dialog = await act(user, "Изменить");
  await user.click(dialog.getByRole("button", { name: "Параметры AmneziaWG" }));
  const count = await dialog.findByLabelText(/^Jc/);
  await user.clear(count);
  await user.type(count, "9");
  expect(dialog.queryByText(/Связь потеряют/)).toBeNull();
  const header = dialog.getByLabelText(/^H1/);
  await user.clear(header);
  await user.type(header, "7");
  dialog.getByText(/Связь потеряют: 9\sустройств/);
  await user.click(dialog.getByRole("button", { name: "Сохранить" }));
  await waitFor(() => expect(asked(change)).toHaveLength(1));
  expect(asked(change)[0]?.body).toEqual({
    amneziawg: { Jc: "9", H1: "7" },
    cutsOff: 9,
    expected: { amneziawg: parameters },
  });
  await dialog.findByText(/Их теперь 10/);
  dialog.getByText(/Связь потеряют: 10\sустройств/);
  await user.click(dialog.getByRole("button", { name: "Сохранить" }));
  await waitFor(() => expect(asked(change).map(({ body }) => (body as { cutsOff: number }).cutsOff)).toEqual([9, 10]));
});

test("new parameters start on a second interface, which says what moves, what stays and until when", async () => {
  const { user, asked } = await open({
    "GET /admin/servers/interfaces/{id}/emptying": {
      devices: 12,
      members: 5,
      keysInBrowser: 2,
      assigned: 0,
      targets: [],
    },
    "POST /admin/servers/interfaces/{id}/rotate": refused(409, "interface.not_up", "Не поднялся: no engine"),
  });
  const dialog = await act(user, "Новые параметры");
  await dialog.findByText(/Переедут: 10\sустройств/);
  dialog.getByText(/2\sустройства останется|2\sустройства/);
  const days = dialog.getByLabelText("Сколько дней ждать");
  await user.clear(days);
  await user.type(days, "90");
  await user.click(dialog.getByRole("button", { name: "Начать" }));
  dialog.getByText("От 1 до 60");
  await user.clear(days);
  await user.type(days, "7");
  await user.click(dialog.getByRole("button", { name: "Начать" }));
  await waitFor(() =>
    expect(asked("POST /admin/servers/interfaces/{id}/rotate").map(({ body }) => body)).toEqual([
      { preset: "dns", version: "2.0", days: 7 },
    ]),
  );
  await dialog.findByText(/no engine/);
});

test("while devices move, the screen shows how many use the earlier parameters and where to see whose they are", async () => {
  await open({
    "GET /admin/servers/interfaces": [{ ...hidden, configCount: 0, leavingCount: 3, takesNew: false }],
    "GET /admin/servers/emptyings": [
      {
        kind: "interface",
        from: { id: hidden.id, name: hidden.name },
        to: { id: uuid(66), name: "Interface 2" },
        by: "chief",
        state: "done",
        startedAt: inDays(-1),
        endedAt: inDays(-1),
        total: 12,
        moved: 12,
        stayed: {},
        goesAt: inDays(13),
      },
    ],
  });
  await screen.findByText(/На прежних параметрах: 3\sустройства/);
  const link = screen.getByRole("link", { name: "Кто ещё не переехал" });
  expect(link.getAttribute("href")).toBe(`/admin/configs?filter=moving&interface=${uuid(66)}`);
});

test("a sudden loss of devices is reported in the list, and the history describes the drop", async () => {
  const at = (step: number) => new Date(Date.UTC(2026, 10, 22, 12) + step * 300_000).toISOString();
  const { user } = await open({
    "GET /admin/servers/interfaces": [{ ...hidden, goneSince: new Date(Date.now() - 600_000).toISOString() }],
    "GET /admin/servers/interfaces/{id}/reach": {
      tunnel: { type: "amneziawg", version: "2.0" },
      step: 300,
      from: at(0),
      to: at(2),
      points: [
        { at: at(0), expected: 40, online: 31 },
        { at: at(2), expected: 40, online: 3 },
      ],
    },
  });
  expect((await screen.findByRole("row", { name: /Interface 1/ })).textContent).toContain("Устройства разом пропали");
  const dialog = await act(user, "История подключений");
  await dialog.findByText(/^на связи: 3 /);
  dialog.getByText("были на связи за сутки: 40");
  dialog.getByText(/Разрывы/);
  dialog.getByText(/Похоже, сети стали блокировать/);
});
