import type { Api } from "@krug/contract/api";
import { fireEvent, screen, waitFor, within } from "@testing-library/react";
import { describe, expect, test } from "vitest";
import { screens } from "../../testing/open-page.tsx";
import { type Panel, refused } from "../../testing/panel.ts";
import { uuid } from "../../testing/samples.ts";
import { admin, enter, moderator } from "../../testing/staff.ts";

screens();

type Found = Api["GET /admin/search"]["answer"];
const found = (about: Partial<Found> = {}): Found => ({
  members: [],
  configs: [],
  codes: [],
  servers: [],
  interfaces: [],
  tickets: [],
  ...about,
});
const anna = { id: uuid(7), username: "anna", displayName: "Анна" };

/** The open palette, and how to type in it. */
async function palette(says: Panel = {}, me = admin) {
  const page = await enter("/admin/users", { "GET /admin/search": found(), ...says }, me);
  await screen.findByRole("heading", { level: 1, name: "Пользователи" });
  const open = async () => {
    await page.user.keyboard("{Control>}[KeyK]{/Control}");
    const box = within(await screen.findByRole("dialog", { name: "Поиск" }));
    const type = async (text: string) => {
      await page.user.clear(box.getByRole("combobox"));
      await page.user.type(box.getByRole("combobox"), text);
    };
    return { ...box, type };
  };
  return { ...page, open, ...(await open()) };
}
/** The page below also has lists with options. */
const shownOptions = () =>
  within(screen.getByRole("dialog", { name: "Поиск" }))
    .queryAllByRole("option")
    .map((option) => option.textContent);

test("the shortcut opens it in any layout, it finds a member, and Enter goes to their page", async () => {
  const { type, findByRole, getByRole, user, asked, address } = await palette({
    "GET /admin/search": found({ members: [{ ...anna, isActive: true }] }),
  });
  await type("анн");
  const option = await findByRole("option", { name: /Анна/ });
  await waitFor(() =>
    expect(getByRole("combobox").getAttribute("aria-activedescendant")).toBe(option.getAttribute("id")),
  );
  expect(asked("GET /admin/search").at(-1)?.query.get("q")).toBe("анн");
  await user.keyboard("{Enter}");
  await waitFor(() => expect(address()).toBe("/admin/users/anna"));
});

test("letters typed right after the shortcut are in the field, and Enter presses nothing on the page", async () => {
  const page = await enter("/admin/users", { "GET /admin/search": found() });
  await screen.findByRole("heading", { level: 1, name: "Пользователи" });
  let pressed = 0;
  const button = screen.getAllByRole("button")[0] as HTMLElement;
  button.addEventListener("click", () => pressed++);
  button.focus();
  const type = (key: string) =>
    fireEvent.keyDown(document.activeElement ?? document.body, { key, code: "" }) && pressed++;
  // No time passes in between: the palette is not open yet.
  fireEvent.keyDown(button, { key: "л", code: "KeyK", ctrlKey: true });
  for (const key of ["а", "н", "x", "Backspace", "т", "Enter"]) type(key);
  expect(pressed).toBe(0);
  const field = within(await screen.findByRole("dialog", { name: "Поиск" })).getByRole<HTMLInputElement>("combobox");
  await waitFor(() => expect(field.value).toBe("ант"));
  // Now the field receives the keys itself.
  await page.user.type(field, "он");
  expect(field.value).toBe("антон");
});

test.each([
  [
    { configs: [{ id: uuid(1), name: "tablet", address: "10.8.0.4", interfaceName: "I", owner: anna }] },
    "configs?q=10.8.0.4",
  ],
  [{ codes: [{ id: uuid(2), code: "K7MRHW", state: "active" as const }] }, `invites/${uuid(2)}`],
  [{ servers: [{ id: uuid(3), name: "Рига", endpoint: null }] }, "servers?q=%D0%A0%D0%B8%D0%B3%D0%B0"],
  [
    { interfaces: [{ id: uuid(4), name: "I", subnet: "10.8.0.0/24", serverId: uuid(3), serverName: "Рига" }] },
    `interfaces?server=${uuid(3)}`,
  ],
  [
    { tickets: [{ id: uuid(5), subject: "Счёт", status: "open" as const, owner: anna }] },
    `support?section=tickets&with=${anna.id}&ticket=${uuid(5)}`,
  ],
])("what the panel found links to its place: %o", async (some, place) => {
  const { type, findAllByRole, user, address } = await palette({ "GET /admin/search": found(some) });
  await type("zz");
  await findAllByRole("option");
  await user.keyboard("{Enter}");
  await waitFor(() => expect(address()).toBe(`/admin/${place}`));
});

test("sections, settings and actions are found by words in any order, and a search without results says so", async () => {
  const { type, findByText, user, open, address } = await palette();
  await type("двухф");
  await waitFor(() => expect(shownOptions()).toEqual(["Двухфакторная аутентификация"]));
  await type("2fa");
  await waitFor(() => expect(shownOptions()).toEqual(["Двухфакторная аутентификация"]));
  await type("технические");
  await waitFor(() => expect(shownOptions()).toEqual(["Включить или выключить техработы"]));
  await type("подписки отсрочка");
  await waitFor(() => expect(shownOptions()).toEqual([expect.stringMatching(/^Отсрочка после конца подписки/)]));
  await type("резервную копию");
  await waitFor(() => expect(shownOptions()).toEqual(["Скачать резервную копию"]));
  await type("добавить сервер");
  await waitFor(() => expect(shownOptions()).toEqual(["Добавить сервер"]));
  await type("zzz");
  await findByText("Ничего не нашлось");
  await type("добавить участ{Enter}");
  await waitFor(() => expect(address()).toBe("/admin/users?add=member"));
  await screen.findByRole("dialog", { name: "Новый участник" });
  await user.keyboard("{Escape}");
  const again = await open();
  await again.type("тема светлая{Enter}");
  await waitFor(() => expect(document.documentElement.dataset.mantineColorScheme).toBe("light"));
});

test("a moderator is offered what moderators may do, and what was switched on for them", async () => {
  const { type, user } = await palette({ "GET /admin/rights": { actions: ["invites.create"] } }, moderator);
  await waitFor(() => expect(shownOptions()).toContain("Создать инвайт-код"));
  for (const hidden of [
    "Серверы",
    "Управление системой",
    "Добавить участника",
    "Добавить правило",
    "Смотреть как админ",
  ])
    expect(shownOptions(), hidden).not.toContain(hidden);
  await type("техработы");
  await screen.findByText("Ничего не нашлось");
  await type("отсрочка");
  await screen.findByText("Ничего не нашлось");
  await user.keyboard("{Escape}");
});

test("on a slow network it shows that it is searching, and shows local results at once", async () => {
  let answer: (said: Found) => void = () => {};
  const { type } = await palette({ "GET /admin/search": () => new Promise<Found>((resolve) => (answer = resolve)) });
  await type("интерфейс");
  expect(await screen.findByText("Ищем...")).toBeTruthy();
  expect(shownOptions()).toContain("Создать интерфейс");
  await waitFor(() => expect(screen.getByText("Ищем...")).toBeTruthy());
  await new Promise((resolve) => setTimeout(resolve, 200));
  answer(
    found({
      interfaces: [{ id: uuid(4), name: "Interface 9", subnet: "10.8.0.0/24", serverId: uuid(3), serverName: "Рига" }],
    }),
  );
  await screen.findByRole("option", { name: /Interface 9/ });
  await waitFor(() => expect(screen.queryByText("Ищем...")).toBeNull());
});

test("a failed search says so, and the sections stay", async () => {
  const { type } = await palette({ "GET /admin/search": refused(500, "internal", "Ошибка") });
  await type("платежи");
  await screen.findByText("Ошибка при загрузке данных. Пожалуйста, попробуйте позже.");
  expect(shownOptions()).toContain("Платежи");
});

describe("an act typed with a name", () => {
  const pavel = { id: uuid(11), username: "pavel", displayName: "Павел", isActive: true };
  const namesake = { id: uuid(12), username: "pavel_2", displayName: "Павел", isActive: true };
  const both = { "GET /admin/search": found({ members: [pavel, namesake] }) };

  test("searches for the name, lets staff choose among namesakes, asks about that one, and extends by those days", async () => {
    const { type, user, asked, findByRole } = await palette({
      ...both,
      "POST /admin/users/bulk": { done: [namesake.id], refused: [] } as never,
    });
    await type("продлить павел 30");
    await findByRole("option", { name: /Продлить на 30 дней: Павел.*pavel_2/ });
    expect(asked("GET /admin/search").at(-1)?.query.get("q")).toBe("павел");
    expect(shownOptions()).toEqual(["Продлить на 30 дней: Павелpavel", "Продлить на 30 дней: Павелpavel_2"]);
    await user.keyboard("{ArrowDown}{Enter}");
    const dialog = within(await screen.findByRole("dialog", { name: "Продлить подписку: Павел (pavel_2)" }));
    expect(dialog.getByRole<HTMLInputElement>("radio", { name: /^30/ }).checked).toBe(true);
    expect(asked("POST /admin/users/bulk")).toEqual([]);
    await user.click(dialog.getByRole("button", { name: "Продлить" }));
    await waitFor(() =>
      expect(asked("POST /admin/users/bulk").map(({ body }) => body)).toEqual([
        { ids: [namesake.id], action: "extend", days: 30, act: expect.any(String) },
      ]),
    );
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  });

  test("blocks only after a question that names the member and what happens, and Escape does nothing", async () => {
    const blocked = { ...namesake, isActive: false };
    const { type, user, asked, findByRole, open } = await palette({
      "GET /admin/search": found({ members: [pavel, blocked] }),
      "PUT /users/{id}": refused(409, "member.self", "Себя заблокировать нельзя") as never,
    });
    await type("заблокировать павел");
    await findByRole("option", { name: /Заблокировать: Павел/ });
    expect(shownOptions()).toEqual(["Заблокировать: Павелpavel"]);
    await user.keyboard("{Enter}");
    const question = () => screen.findByRole("dialog", { name: "Заблокировать: Павел (pavel)?" });
    await within(await question()).findByText(/Все сеансы сразу завершатся/);
    await user.keyboard("{Escape}");
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
    expect(asked("PUT /users/{id}")).toEqual([]);
    const again = await open();
    await again.type("block pavel");
    await user.click(await again.findByRole("option", { name: /Заблокировать: Павел/ }));
    await user.click(within(await question()).getByRole("button", { name: "Заблокировать" }));
    await within(await question()).findByText("Себя заблокировать нельзя");
  });

  test("makes a password link for a moderator who may, and offers them nothing else", async () => {
    const { type, user, asked, findByRole } = await palette(
      {
        ...both,
        "GET /admin/rights": { actions: ["members.send_password_link"] },
        "POST /users/{id}/password-link": {
          link: "https://club.example/password#t",
          expiresAt: "2026-12-01T00:00:00Z",
        },
      },
      moderator,
    );
    await waitFor(() =>
      expect(screen.getByText(/Можно и так/).textContent).toBe("Можно и так: «ссылка на пароль павел»"),
    );
    await type("заблокировать павел");
    await waitFor(() => expect(asked("GET /admin/search").at(-1)?.query.get("q")).toBe("заблокировать павел"));
    await type("ссылка на пароль павел");
    await user.click(await findByRole("option", { name: /Ссылка для пароля: Павел.*pavel$/ }));
    const dialog = within(await screen.findByRole("dialog", { name: "Ссылка для пароля: Павел (pavel)" }));
    await user.click(dialog.getByRole("button", { name: "Создать ссылку" }));
    await waitFor(() => expect(asked("POST /users/{id}/password-link")).toHaveLength(1));
  });
});
