import { screen, waitFor, within } from "@testing-library/react";
import { expect, test } from "vitest";
import { type FoundInterface, foundDevice, foundInterface, openMoveIn, said } from "../../../testing/moving-in.ts";
import { screens } from "../../../testing/open-page.tsx";
import { type Panel, refused } from "../../../testing/panel.ts";
import { uuid } from "../../../testing/samples.ts";
import { server, staffInterface } from "../../../testing/servers.ts";

screens();

const anna = { id: uuid(1), username: "anna", displayName: "Анна" };
const boris = { id: uuid(2), username: "boris", displayName: "Борис" };
const found = (about: Partial<FoundInterface> = {}) =>
  foundInterface({
    devices: [
      foundDevice({ suggestedOwner: anna }),
      foundDevice({ publicKey: "b".repeat(43), name: "телефон", suggestedName: "device-2", address: "10.9.0.3" }),
      foundDevice({ publicKey: "c".repeat(43), name: "office", address: null, strange: "networks" }),
    ],
    owners: [{ ...anna, isEntitled: true, configLimit: 3, configs: 0 }],
    ...about,
  });
const PREVIEW = "POST /admin/servers/{id}/moving-in/preview";
const MOVE_IN = "POST /admin/servers/{id}/moving-in";

const open = (says: Panel = {}) =>
  openMoveIn({ "GET /admin/servers": [server()], "GET /users": [boris], [PREVIEW]: found(), ...says } as Panel);
const read = async ({ user, dialog }: Awaited<ReturnType<typeof open>>) => {
  await user.click(dialog.getByLabelText(said("Или вставьте его текст")));
  await user.paste("[Interface]\nPrivateKey = secret");
  await user.click(dialog.getByRole("button", { name: "Прочитать" }));
};
const one = async (dialog: Awaited<ReturnType<typeof open>>["dialog"], name: string) =>
  within(await dialog.findByRole("region", { name }));

test("a file that cannot be read says why, and its text stays", async () => {
  const opened = await open({ [PREVIEW]: refused(400, "import.line_wrong", "Строка 2 файла записана неверно.") });
  await read(opened);
  await opened.dialog.findByText(said("Файл не прочитан. Строка 2 файла записана неверно."));
  expect(opened.dialog.getByLabelText(said("Или вставьте его текст"))).toHaveProperty(
    "value",
    "[Interface]\nPrivateKey = secret",
  );
});

test("an empty interface that makes room is named with its new network and port, before anything is written", async () => {
  const givesWay = [
    {
      name: "Interface 1",
      subnet: { from: "10.8.0.0/24", to: "10.8.1.0/24" },
      port: { from: 51820, to: 51821 },
    },
  ];
  const opened = await open({ [PREVIEW]: found({ givesWay }) });
  await read(opened);
  await opened.dialog.findByText(
    said("Interface 1 пуст и уступит сеть 10.8.0.0/24 и порт 51820: у него будет сеть 10.8.1.0/24 и порт 51821."),
  );
});

test("devices are given to members, those left behind are counted, and the server names who is cut off", async () => {
  const opened = await open();
  const { user, dialog, asked, say } = opened;
  await read(opened);
  await dialog.findByText(said("На этом сервере он сейчас не работает"));
  dialog.getByText("PostUp");
  expect((await one(dialog, "anna")).getByLabelText("Участник")).toHaveProperty("value", "Анна");
  const office = await one(dialog, "office");
  office.getByText(/за\sним\sцелая\sсеть/);
  expect(office.queryByLabelText("Участник")).toBeNull();
  dialog.getByText(/больше\sне\sподключится: 2\sустройства/);
  say({
    [PREVIEW]: found({
      owners: [
        { ...anna, isEntitled: true, configLimit: 3, configs: 0 },
        { ...boris, isEntitled: false, configLimit: 3, configs: 1 },
      ],
    }),
    [MOVE_IN]: { interface: staffInterface({ name: "Старый" }), configs: 2, invited: [] },
  } as Panel);
  const phone = await one(dialog, "телефон");
  await user.click(phone.getByLabelText("Участник"));
  await user.click(await phone.findByRole("option", { name: /Борис/ }));
  await dialog.findByText(said("Без действующей подписки, отключатся сразу: 1"));
  expect(asked(PREVIEW).at(-1)?.body).toMatchObject({ owners: [anna.id, boris.id] });
  dialog.getByText(/больше\sне\sподключится: 1\sустройство/);
  await user.click(phone.getByLabelText("Телефон"));
  await user.clear(phone.getByLabelText("Имя конфига"));
  await user.type(phone.getByLabelText("Имя конфига"), "мой");
  await user.click(dialog.getByRole("button", { name: "Перенести: 2" }));
  expect(asked(MOVE_IN)).toHaveLength(0);
  await user.clear(phone.getByLabelText("Имя конфига"));
  await user.type(phone.getByLabelText("Имя конфига"), "phone");
  await user.click(dialog.getByRole("button", { name: "Перенести: 2" }));
  await screen.findByText(/Старый: перенесено, 2\sконфига/);
  expect(asked(MOVE_IN)[0]?.body).toEqual({
    file: "[Interface]\nPrivateKey = secret",
    listenPort: 51820,
    devices: [
      { publicKey: "a".repeat(43), userId: anna.id, name: "anna", deviceType: "computer" },
      { publicKey: "b".repeat(43), userId: boris.id, name: "phone", deviceType: "phone" },
    ],
  });
});

test("those without a member become members, and their links are shown once", async () => {
  const link = "https://club.example/password#user=telefon&token=abc";
  const vera = {
    id: uuid(3),
    username: "telefon",
    displayName: "телефон",
    link,
    expiresAt: "2026-12-12T12:00:00.000Z",
  };
  const opened = await open({
    [MOVE_IN]: { interface: staffInterface({ name: "Старый" }), configs: 2, invited: [vera] },
  } as Panel);
  const { user, dialog, asked } = opened;
  await read(opened);
  await user.click(await dialog.findByRole("button", { name: said("Всех остальных сделать участниками") }));
  const phone = await one(dialog, "телефон");
  await user.clear(phone.getByLabelText(said("Логин нового участника")));
  await user.type(phone.getByLabelText(said("Логин нового участника")), "telefon");
  expect((await one(dialog, "anna")).queryByLabelText(said("Логин нового участника"))).toBeNull();
  await user.clear(dialog.getByLabelText(said("Подписка новых участников до")));
  await user.type(dialog.getByLabelText(said("Подписка новых участников до")), "2027-01-31");
  await user.click(dialog.getByRole("button", { name: "Перенести: 2" }));
  await dialog.findByRole("button", { name: "Скопировать ссылку: телефон" });
  dialog.getByRole("button", { name: said("Скопировать все") });
  expect(asked(MOVE_IN)[0]?.body).toMatchObject({
    newMembersUntil: "2027-01-31",
    devices: [{ userId: anna.id }, { newMember: { username: "telefon", displayName: "телефон" }, name: "device-2" }],
  });
  await user.keyboard("{Escape}");
  await user.click(dialog.getByRole("button", { name: "Готово" }));
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
});

test("a file without a port asks for it, and a refusal keeps all choices", async () => {
  const opened = await open({
    [PREVIEW]: found({ listenPort: null, runsAs: "wg7" }),
    [MOVE_IN]: refused(409, "interface.port_taken", "Порт 53 на сервере уже занят."),
  } as Panel);
  const { user, dialog, asked } = opened;
  await read(opened);
  await dialog.findByText(/сейчас\sработает\sна\sсервере\sкак\swg7/);
  await user.click(dialog.getByRole("button", { name: "Перенести: 1" }));
  await dialog.findByText(said("Целое число от 1 до 65535"));
  expect(asked(MOVE_IN)).toHaveLength(0);
  await user.type(dialog.getByLabelText("Порт UDP"), "53");
  await user.click(dialog.getByRole("button", { name: "Перенести: 1" }));
  await dialog.findByText(said("Интерфейс не перенесён. Порт 53 на сервере уже занят."));
  expect((await one(dialog, "anna")).getByLabelText("Участник")).toHaveProperty("value", "Анна");
});

test("a chosen file is read at once", async () => {
  const { user, asked } = await open();
  const input = document.querySelector<HTMLInputElement>('input[type="file"]') as HTMLInputElement;
  await user.upload(input, new File(["[Interface]\n"], "wg0.conf", { type: "text/plain" }));
  await waitFor(() => expect(asked(PREVIEW)[0]?.body).toEqual({ file: "[Interface]\n" }));
});

test.each([
  ["UTF-8 with a mark", Buffer.from("\uFEFF# Анна\r\n")],
  ["UTF-16", Buffer.from("\uFEFF# Анна\r\n", "utf16le")],
  ["UTF-16 the other way round", Buffer.from("\uFEFF# Анна\r\n", "utf16le").swap16()],
  ["UTF-16 without a mark", Buffer.from("# Анна\r\n", "utf16le")],
  ["UTF-16 the other way round without a mark", Buffer.from("# Анна\r\n", "utf16le").swap16()],
  ["Windows-1251", Buffer.from([0x23, 0x20, 0xc0, 0xed, 0xed, 0xe0, 0x0d, 0x0a])],
])("a file saved as %s is read correctly", async (_, bytes) => {
  const { user, asked } = await open();
  const input = document.querySelector<HTMLInputElement>('input[type="file"]') as HTMLInputElement;
  await user.upload(input, new File([Uint8Array.from(bytes)], "wg0.conf"));
  await waitFor(() => expect(asked(PREVIEW)[0]?.body).toEqual({ file: "# Анна\r\n" }));
});

test("several files are sent by their names", async () => {
  const { user, asked } = await open();
  const input = document.querySelector<HTMLInputElement>('input[type="file"]') as HTMLInputElement;
  const table = new File(['[{"clientId":"a"}]'], "clientsTable");
  await user.upload(input, [table, new File(["[Interface]\n"], "awg0.conf")]);
  await waitFor(() =>
    expect(asked(PREVIEW)[0]?.body).toEqual({
      file: [
        { name: "clientsTable", content: '[{"clientId":"a"}]' },
        { name: "awg0.conf", content: "[Interface]\n" },
      ],
    }),
  );
});

test("unreadable content is reported by its line, and a device's extra setting by its day", async () => {
  const opened = await open({
    [PREVIEW]: found({
      unread: [
        { line: 28, field: "AllowedIPs" },
        { line: null, field: "clients.7.publicKey" },
      ],
      devices: [
        foundDevice({ isEnabled: false, endsAt: "2026-12-31T12:00:00.000Z" }),
        foundDevice({ publicKey: "r".repeat(43), name: "old", address: null, strange: "replaced" }),
      ],
    }),
  } as Panel);
  await read(opened);
  await opened.dialog.findByText(/^строка\s28: AllowedIPs; clients\.7\.publicKey$/);
  const anna = await one(opened.dialog, "anna");
  anna.getByText(/останется\sвыключенным.*31\sдекабря\s2026/);
  (await one(opened.dialog, "old")).getByText(/отдан\sдругому\sустройству/);
});

test("a database is sent as its bytes", async () => {
  const { user, asked } = await open();
  const input = document.querySelector<HTMLInputElement>('input[type="file"]') as HTMLInputElement;
  const bytes = Uint8Array.from({ length: 70_000 }, (_, at) => at % 256);
  bytes.set(new TextEncoder().encode("SQLite format 3\0"));
  await user.upload(input, new File([bytes], "wg-easy.db"));
  await waitFor(() =>
    expect(asked(PREVIEW)[0]?.body).toEqual({
      file: `data:application/vnd.sqlite3;base64,${Buffer.from(bytes).toString("base64")}`,
    }),
  );
});

test("many devices are shown in part at first, and the hidden ones are sent too", async () => {
  const many = Array.from({ length: 70 }, (_, at) =>
    foundDevice({
      publicKey: `${at}`.padStart(43, "k"),
      name: `device ${at}`,
      address: `10.9.0.${at + 2}`,
      suggestedOwner: anna,
      suggestedName: `d${at}`,
    }),
  );
  const opened = await open({
    [PREVIEW]: found({ devices: many }),
    [MOVE_IN]: { interface: staffInterface({ name: "Старый" }), configs: 70, invited: [] },
  } as Panel);
  const { user, dialog, asked } = opened;
  await read(opened);
  await one(dialog, "device 29");
  expect(dialog.queryByRole("region", { name: "device 30" })).toBeNull();
  await user.click(dialog.getByRole("button", { name: "Показать ещё: 40" }));
  await one(dialog, "device 59");
  await user.click(dialog.getByRole("button", { name: "Перенести: 70" }));
  await screen.findByText(/Старый: перенесено/);
  expect(asked(MOVE_IN)[0]?.body).toMatchObject({ devices: { length: 70 } });
});

test("an AmneziaWG interface is shown with its version, and with what harms its tunnel", async () => {
  const faults = [
    { field: "S2", reason: "same_size_as_other" as const, other: "S1" },
    { field: "S4", reason: "too_large" as const, limit: 0 },
    { field: "H1", reason: "too_small" as const, limit: 5 },
  ];
  const opened = await open({
    [PREVIEW]: found({ amneziawg: { version: "2.0", faults } }),
    [MOVE_IN]: { interface: staffInterface({ name: "Старый" }), configs: 1, invited: [] },
  } as Panel);
  const { dialog, user, asked } = opened;
  await read(opened);
  await dialog.findByText(said("AmneziaWG 2.0"));
  dialog.getByText(said("Параметры перейдут как есть, но мешают туннелю"));
  dialog.getByText(said("S1 и S2: у двух сообщений один размер"));
  dialog.getByText(/^S4: с\sэтим\sMTU/);
  dialog.getByText(said("H1: меньше 5"));
  expect(dialog.queryByLabelText("WireGuard")).toBeNull();
  await user.click(dialog.getByRole("button", { name: "Перенести: 1" }));
  await screen.findByText(/Старый: перенесено/);
  expect(asked(MOVE_IN)[0]?.body).not.toHaveProperty("amneziawg");
});

test("if a database does not say, staff choose whether it was AmneziaWG", async () => {
  const opened = await open({
    [PREVIEW]: found({ isTypeOpen: true }),
    [MOVE_IN]: { interface: staffInterface({ name: "Старый" }), configs: 1, invited: [] },
  } as Panel);
  const { dialog, user, asked, say } = opened;
  await read(opened);
  expect(await dialog.findByLabelText("WireGuard")).toHaveProperty("checked", true);
  expect(dialog.queryByText(said("AmneziaWG 2.0"))).toBeNull();
  say({ [PREVIEW]: found({ isTypeOpen: true, amneziawg: { version: "2.0", faults: [] } }) } as Panel);
  await user.click(dialog.getByLabelText("AmneziaWG"));
  await dialog.findByText(said("AmneziaWG 2.0"));
  expect(asked(PREVIEW).at(-1)?.body).toMatchObject({ amneziawg: true });
  await user.click(dialog.getByRole("button", { name: "Перенести: 1" }));
  await screen.findByText(/Старый: перенесено/);
  expect(asked(MOVE_IN)[0]?.body).toMatchObject({ amneziawg: true });
});
