import type { Api } from "@krug/contract/api";
import { act, fireEvent, screen, waitFor, within } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import { readCsv } from "../../../lib/read-csv.ts";
import { screens } from "../../../testing/open-page.tsx";
import { type Panel, refused } from "../../../testing/panel.ts";
import { inDays, uuid } from "../../../testing/samples.ts";
import { savedFiles } from "../../../testing/saved-files.ts";
import { anna, boris, openUsers } from "../../../testing/users.ts";
import { readMembersFile } from "./members-file.ts";

screens();

const PREVIEW = "POST /admin/users/import/preview";
const IMPORT = "POST /admin/users/import";
type Invited = Api["POST /admin/users/import"]["answer"]["invited"];

const fileOf = (text: string) => new File([text], "члены клуба.csv", { type: "text/csv" });
const file = (count: number) =>
  fileOf(
    `Логин;Роль\r\n${Array.from({ length: count }, (_, n) => `new-${n};${n === 0 ? "Админ" : ""}`).join("\r\n")}\r\n`,
  );
const invitedBy = (body: unknown): Invited =>
  (body as Api["POST /admin/users/import"]["body"]).members.map(({ line, username }) => ({
    id: uuid(line),
    username,
    displayName: `Имя ${username}`,
    link: `https://club.example/password#user=${username}`,
    expiresAt: inDays(14),
  }));

async function open(says: Panel = {}) {
  const opened = await openUsers({
    "GET /admin/groups": [],
    [PREVIEW]: { here: [], waiting: [], ended: [], problems: [] },
    [IMPORT]: ({ body }) => ({ invited: invitedBy(body) }),
    ...says,
  });
  const { user } = opened;
  await user.click(await screen.findByRole("button", { name: "Ещё" }));
  await user.click(await screen.findByRole("menuitem", { name: "Добавить из файла" }));
  const dialog = within(await screen.findByRole("dialog", { name: "Участники из файла" }));
  await dialog.findByRole("button", { name: "Выбрать файл" });
  const choose = (chosen: File) =>
    user.upload(document.querySelector<HTMLInputElement>("input[type=file]") as never, chosen);
  return { ...opened, dialog, choose };
}
const factOf = (dialog: Awaited<ReturnType<typeof open>>["dialog"], name: RegExp) =>
  dialog.getByText(name).nextElementSibling?.textContent;

test("the file says what would happen, its new members get links, and those are saved, printed and kept until 'Готово'", async () => {
  const { user, dialog, choose, asked } = await open({
    [PREVIEW]: { here: [3], waiting: [4], ended: [5], problems: [] },
  });
  await choose(file(4));
  await dialog.findByText(/^Новых/);
  expect(factOf(dialog, /^Новых/)).toBe("2");
  expect(factOf(dialog, /с другой ролью/)).toBe("1");
  expect(factOf(dialog, /^Не читаются/)).toBe("Роль");
  await user.click(dialog.getByRole("button", { name: /^Добавить 3/ }));
  await dialog.findByRole("button", { name: "Готово" });
  expect(asked(IMPORT)[0]?.body).toMatchObject({ members: [{ line: 2 }, { line: 4 }, { line: 5 }] });
  await user.keyboard("{Escape}");
  expect(dialog.getByText("Имя new-3")).toBeTruthy();

  const files = savedFiles();
  await user.click(dialog.getByRole("button", { name: "Сохранить файлом" }));
  await waitFor(() => expect(files).toHaveLength(1));
  expect(await files[0]?.text()).toContain("new-3;Имя new-3;https://club.example/password#user=new-3;");
  const print = vi.spyOn(window, "print").mockReturnValue();
  await user.click(dialog.getByRole("button", { name: "Напечатать" }));
  await waitFor(() => expect(print).toHaveBeenCalledOnce());
  print.mockRestore();
  await user.click(dialog.getByRole("button", { name: "Готово" }));
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
});

test("mistakes of the file and of the panel are named, and nobody can be added", async () => {
  const { dialog, choose, asked } = await open({
    [PREVIEW]: {
      here: [],
      waiting: [],
      ended: [],
      problems: [{ line: 2, field: "username", code: "member.username_taken", message: "Имя занято." }],
    },
  });
  await choose(fileOf("Логин;Подписка до\r\ncounts;\r\nvera;завтра\r\n"));
  expect(await dialog.findByText(/^2.ошибки/)).toBeTruthy();
  expect(dialog.getByText(/^Строка.2, «Логин»: Имя.занято\.$/)).toBeTruthy();
  expect(dialog.getByText(/^Строка.3, «Подписка.до»: «завтра»/)).toBeTruthy();
  expect(dialog.getByRole<HTMLButtonElement>("button", { name: /^Добавить/ }).disabled).toBe(true);
  expect(asked(PREVIEW)[0]?.body).toMatchObject({ members: [{ line: 2 }] });
});

test("an Excel workbook is recognised", async () => {
  const { dialog, choose } = await open();
  await choose(new File([new Uint8Array([0x50, 0x4b, 3, 4])], "клуб.csv"));
  expect(await dialog.findByText(/книга.Excel/)).toBeTruthy();
});

test("a slice that fails is reported, what was sent stays sent, and the import continues from there", async () => {
  let fails = true;
  const { user, dialog, choose, asked } = await open({
    [IMPORT]: ({ body }) => {
      const first = (body as { members: { line: number }[] }).members[0]?.line;
      return fails && first === 502
        ? (refused(409, "member.line_refused", "Строка 502: нет") as never)
        : { invited: invitedBy(body) };
    },
  });
  await choose(file(501));
  await user.click(await dialog.findByRole("button", { name: /^Добавить.501/ }));
  expect(await dialog.findByText(/^Готово.500.из.501.*Строка 502: нет$/)).toBeTruthy();
  fails = false;
  await user.click(dialog.getByRole("button", { name: "Продолжить" }));
  await user.click(await dialog.findByRole("button", { name: /^Показать.ещё/ }));
  expect(asked(IMPORT).map(({ body }) => (body as { members: unknown[] }).members.length)).toEqual([500, 1, 1]);
});

test("the list's own file is taken back, in both languages", async () => {
  // A second press soon after the first would mean the same file.
  const clock = vi.spyOn(performance, "now").mockReturnValue(1_000);
  const friends = { id: uuid(9), name: "Друзья, близкие" };
  const members = [
    { ...anna, displayName: "=1+1", subscriptionEnd: "2027-12-31T23:59:59.000+03:00", groups: [friends] },
    { ...boris, vpnConfigLimit: -1 },
  ];
  await openUsers({ "GET /users": members });
  const files = savedFiles();
  for (const language of ["ru", "en"]) {
    files.length = 0;
    act(() => void dispatchEvent(new StorageEvent("storage", { key: "krug.language", newValue: language })));
    await waitFor(() => expect(document.documentElement.lang).toBe(language));
    fireEvent.click(await screen.findByRole("button", { name: "CSV" }));
    await waitFor(() => expect(files).toHaveLength(1));
    const bytes = new Uint8Array(await (files[0] as Blob).arrayBuffer());
    expect(readMembersFile(readCsv(bytes), [friends]), language).toMatchObject({
      problems: [],
      staff: 0,
      members: [
        {
          username: "anna",
          displayName: "=1+1",
          subscriptionEnd: "2027-12-31",
          vpnConfigLimit: 3,
          groups: [friends.id],
        },
        { username: "boris", displayName: "Борис", vpnConfigLimit: -1, groups: [] },
      ],
    });
    clock.mockReturnValue(6_000);
  }
  clock.mockRestore();
});
