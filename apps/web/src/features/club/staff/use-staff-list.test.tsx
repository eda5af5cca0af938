import { screen, within } from "@testing-library/react";
import { expect, test } from "vitest";
import { screens } from "../../../testing/open-page.tsx";
import { type Heard, type Panel, paged, refused } from "../../../testing/panel.ts";
import { enter, listed } from "../../../testing/staff.ts";

screens();

const NOBODY = "В клубе пока никого, кроме вас.";

/** A club with this many members. `counted` false: the panel does not say how many. */
const club =
  (size: number, counted = true) =>
  ({ query }: Heard) => {
    const skip = Number(query.get("skip") ?? 0);
    const left = Math.max(0, size - skip);
    const shown = left <= 55 ? left : 50;
    const rows = Array.from({ length: shown }, (_, n) => listed(skip + n + 1));
    return paged(rows, { total: counted ? size : null, next: shown < left ? "on" : null });
  };
const open = (address: string, says: Panel = { "GET /users": club(120) }) => enter(address, says);
const cutOff = refused(400, "request.invalid", "Такого запроса панель не понимает.", { field: "cursor" });
const unlessCut = (answer: ReturnType<typeof club>) => (request: Heard) =>
  request.query.get("cursor") === null ? answer(request) : cutOff;

test.each([
  ["far past its end", "/admin/users?page=400", "/admin/users?page=3"],
  ["further than the panel can skip", "/admin/users?page=99999999", "/admin/users?page=3"],
  ["past the filter's end", "/admin/users?state=active&page=7", "/admin/users?state=active&page=3"],
])("a page %s is replaced by the last one", async (_, asked, landed) => {
  const { address } = await open(asked);
  await screen.findByText("Участник 120");
  expect(address()).toBe(landed);
  expect(screen.getByText("101–120 из 120")).toBeTruthy();
  expect(screen.queryByText(NOBODY)).toBeNull();
});

test("rows added to the last page make no further page", async () => {
  const { address } = await open("/admin/users?page=2", { "GET /users": club(53) });
  await screen.findByText("Участник 1");
  expect(address()).toBe("/admin/users");
  expect(screen.getByText("1–53 из 53")).toBeTruthy();
});

test("if a page's rows disappear, it does not claim that the club is empty", async () => {
  const { user, say, address } = await open("/admin/users?page=3");
  await screen.findByText("Участник 120");
  const seen: string[] = [];
  const watch = new MutationObserver(() => seen.push(document.body.textContent ?? ""));
  watch.observe(document.body, { childList: true, subtree: true, characterData: true });
  say({ "GET /users": club(60) });
  await user.click(screen.getByRole("button", { name: /^Обновить/ }));
  await screen.findByText("Участник 60");
  watch.disconnect();
  expect(address()).toBe("/admin/users?page=2");
  expect(seen.filter((text) => text.includes(NOBODY))).toEqual([]);
});

test("an empty club says so, whatever page was requested", async () => {
  const { address } = await open("/admin/users?page=4", { "GET /users": club(0) });
  await screen.findByText(NOBODY);
  expect(address()).toBe("/admin/users");
});

test("if nobody has counted, a page past the end says so and links to the first", async () => {
  const { user, address } = await open("/admin/users?page=9", { "GET /users": club(120, false) });
  await screen.findByText("Список короче: на этой странице ничего нет.");
  expect(screen.queryByText(NOBODY)).toBeNull();
  await user.click(within(screen.getByRole("region")).getByText("Первая страница"));
  await screen.findByText("Участник 1");
  expect(address()).toBe("/admin/users");
});

test.each([
  ["on its page", "/admin/users?after=cut&page=2", "/admin/users?page=2", "Участник 51"],
  ["on the first page", "/admin/users?after=cut", "/admin/users", "Участник 1"],
])("a cursor that the panel cannot read is dropped, %s", async (_, asked, landed, row) => {
  const { address } = await open(asked, { "GET /users": unlessCut(club(120)) });
  await screen.findByText(row);
  expect(address()).toBe(landed);
  expect(screen.queryByText("Ошибка при загрузке пользователей")).toBeNull();
});

test("a cursor with nothing behind it is replaced by the page's number", async () => {
  const { address } = await open("/admin/users?after=end&page=3", {
    "GET /users": (request) => (request.query.get("cursor") === null ? club(120)(request) : paged([], { total: 120 })),
  });
  await screen.findByText("Участник 120");
  expect(address()).toBe("/admin/users?page=3");
});
