import { screen, waitFor, within } from "@testing-library/react";
import { expect, test } from "vitest";
import { screens } from "../../../testing/open-page.tsx";
import { type Panel, refused } from "../../../testing/panel.ts";
import { uuid } from "../../../testing/samples.ts";
import { liveNumbers, server, staffInterface } from "../../../testing/servers.ts";
import { enter } from "../../../testing/staff.ts";
import type { UnknownPeer } from "./queries.ts";

screens();

const peer = (number: number, about: Partial<UnknownPeer> = {}): UnknownPeer => ({
  id: uuid(800 + number),
  interface: { id: uuid(60), name: "Interface 1" },
  server: { id: uuid(70), name: "Хельсинки" },
  publicKey: `k${number}VqW9xz`,
  address: `10.8.0.${number}`,
  foundAt: new Date().toISOString(),
  lastHandshakeAt: null,
  received: 2 ** 20,
  sent: 2 ** 20,
  rival: null,
  ...about,
});
const open = (peers: UnknownPeer[], says: Panel = {}) =>
  enter("/admin/servers", {
    "GET /admin/servers": [server()],
    "GET /admin/servers/interfaces": [staffInterface()],
    "GET /admin/servers/{id}/refresh": server({ stats: liveNumbers }),
    "GET /admin/servers/emptyings": [],
    "GET /admin/unknown-peers": { total: peers.length, peers },
    ...says,
  });
const list = async ({ user }: Awaited<ReturnType<typeof open>>) => {
  await user.click(await screen.findByRole("button", { name: "Показать" }));
  return within(await screen.findByRole("dialog", { name: "Устройства, которых нет в копии" }));
};

test("after a restore the servers page shows how many devices the backup lacks; otherwise it shows nothing", async () => {
  await open([peer(21), peer(22)]);
  expect(await screen.findByText(/2\sустройств нет в резервной копии/)).toBeTruthy();
});

test("without any there is no banner", async () => {
  await open([]);
  await screen.findByRole("heading", { name: /Хельсинки/ });
  expect(screen.queryByText(/нет в резервной копии/)).toBeNull();
});

test("each shows what is known of it; one whose address the backup gives to another device can only be disconnected", async () => {
  const rival = { by: "address" as const, name: "laptop", username: "marina" };
  const opened = await open([peer(21), peer(22, { rival })]);
  const dialog = await list(opened);
  expect(dialog.getAllByText(/Interface 1 · Хельсинки · ключ k2/)).toHaveLength(2);
  expect(dialog.getByText(/по копии.*«laptop» \(marina\)/i)).toBeTruthy();
  expect(dialog.getByRole("button", { name: "Оставить 10.8.0.21" })).toBeTruthy();
  expect(dialog.queryByRole("button", { name: "Оставить 10.8.0.22" })).toBeNull();
});

test("disconnecting all at once needs a confirmation", async () => {
  const opened = await open([peer(21), peer(22)], {
    "POST /admin/unknown-peers/disconnect": { disconnected: 2 },
  });
  const dialog = await list(opened);
  await opened.user.click(dialog.getByRole("button", { name: /Отключить все: 2/ }));
  const asked = within(await screen.findByRole("dialog", { name: /Отключить 2\sустройства/ }));
  expect(opened.asked("POST /admin/unknown-peers/disconnect")).toEqual([]);
  await opened.user.click(asked.getByRole("button", { name: "Отключить" }));
  await screen.findByText("Отключено: 2");
  expect(opened.asked("POST /admin/unknown-peers/disconnect").map(({ body }) => body)).toEqual([
    { ids: [uuid(821), uuid(822)] },
  ]);
});

test("keeping one needs an owner and a name, and what prevents it is reported", async () => {
  const boris = { id: uuid(5), username: "boris", displayName: "Борис" };
  const opened = await open([peer(21)], {
    "GET /users": [boris],
    "POST /admin/unknown-peers/{id}/take-in": refused(409, "import.name_taken", "Название занято"),
  } as Panel);
  const dialog = await list(opened);
  await opened.user.click(dialog.getByRole("button", { name: "Оставить 10.8.0.21" }));
  const form = within(await screen.findByRole("dialog", { name: "Чьё устройство 10.8.0.21?" }));
  await opened.user.click(form.getByRole("button", { name: "Оставить" }));
  expect(await form.findByText("Выберите участника")).toBeTruthy();
  await opened.user.type(form.getByLabelText(/Владелец/), "bor");
  await opened.user.click(await screen.findByRole("option", { name: /Борис/ }));
  await opened.user.click(form.getByRole("button", { name: "Оставить" }));
  await waitFor(() => expect(form.getByText(/Название занято/)).toBeTruthy());
  expect(opened.asked("POST /admin/unknown-peers/{id}/take-in").map(({ body }) => body)).toEqual([
    { userId: boris.id, name: "device-21", deviceType: "phone" },
  ]);
});
