import { cleanup, screen, waitFor, within } from "@testing-library/react";
import { expect, test } from "vitest";
import { screens } from "../../../testing/open-page.tsx";
import { type Panel, refused } from "../../../testing/panel.ts";
import { service, uuid } from "../../../testing/samples.ts";
import { staffInterface, systemState } from "../../../testing/servers.ts";
import { enter } from "../../../testing/staff.ts";
import type { Template } from "./queries.ts";

screens();

const GIB = 1024 ** 3;
const films = service(0, "Кино", 100);
const chats = service(1, "Чаты", 40);
const template = (about: Partial<Template> = {}): Template => ({
  id: uuid(900),
  name: "Семья",
  services: [films.id],
  interfaceId: uuid(60),
  configLimit: 6,
  quotaBytes: 50 * GIB,
  quotaAtEnd: "cut",
  quotaSlowMbit: 5,
  speedMbit: null,
  isDefault: false,
  ...about,
});
const open = async (templates: Template[], says: Panel = {}) => {
  const page = await enter("/admin/system?section=club", {
    "GET /admin/system": systemState(),
    "GET /admin/templates": templates,
    "GET /services": [films, chats],
    "GET /admin/servers/interfaces": [
      staffInterface(),
      staffInterface({ id: uuid(61), name: "Interface 2", isActive: false }),
    ],
    ...says,
  });
  const panel = within(await screen.findByRole("region", { name: /Шаблоны для новых участников/ }));
  await panel.findByRole("button", { name: "Добавить шаблон" });
  return { ...page, panel };
};
const dialogNamed = async (name: string) => {
  const dialog = within(await screen.findByRole("dialog", { name }));
  await dialog.findByLabelText("Название");
  return { dialog, save: dialog.getByRole("button", { name: "Сохранить" }) };
};
const act = async ({ user, panel }: Awaited<ReturnType<typeof open>>, what: string, name = "Семья") => {
  await user.click(await panel.findByRole("button", { name: `Действия: ${name}` }));
  await user.click(await screen.findByRole("menuitem", { name: what }));
};
const plain = (text: string | null | undefined) => text?.replace(/\s/g, " ");

test("a line shows the limit, the traffic, the preselected services, and which template is the default", async () => {
  const { panel } = await open([
    template(),
    template({
      id: uuid(901),
      name: "Без границ",
      configLimit: -1,
      quotaBytes: null,
      isDefault: true,
      interfaceId: null,
    }),
  ]);
  await panel.findByText("Кино, Хельсинки: Interface 1");
  expect(panel.getAllByRole("listitem").map(({ textContent }) => plain(textContent))).toEqual([
    "Семья6 конфигов, 50,0 GB в месяцКино, Хельсинки: Interface 1",
    "Без границпо умолчаниюконфигов сколько угодноКино",
  ]);
});

test("a club without templates sees what new members get, and its first one is sent whole", async () => {
  const page = await open([], { "POST /admin/templates": template() });
  expect(page.panel.getByText(/Шаблонов ещё нет/)).toBeTruthy();
  await page.user.click(page.panel.getByRole("button", { name: "Добавить шаблон" }));
  const { dialog, save } = await dialogNamed("Новый шаблон");
  await page.user.click(save);
  await dialog.findByText("Укажите название");
  await page.user.type(dialog.getByLabelText("Название"), " Семья ");
  await page.user.clear(dialog.getByLabelText("Сколько конфигов можно создать"));
  await page.user.type(dialog.getByLabelText("Сколько конфигов можно создать"), "-1");
  await page.user.click(save);
  await dialog.findByText("Укажите целое число от 0 до 10 000");
  expect(page.asked("POST /admin/templates"), "nothing wrong is sent").toHaveLength(0);
  await page.user.clear(dialog.getByLabelText("Сколько конфигов можно создать"));
  await page.user.type(dialog.getByLabelText("Сколько конфигов можно создать"), "6");
  await page.user.click(dialog.getByRole("checkbox", { name: "Трафик не ограничен" }));
  await page.user.type(dialog.getByLabelText("Трафик в месяц, ГБ"), "50");
  await page.user.click(dialog.getByRole("radio", { name: "Замедлить" }));
  await page.user.click(dialog.getByRole("checkbox", { name: "Скорость не ограничена" }));
  await page.user.type(dialog.getByLabelText("Предел скорости, Мбит/с"), "20");
  await page.user.click(dialog.getByRole("checkbox", { name: "Кино" }));
  await page.user.selectOptions(dialog.getByLabelText("Интерфейс"), uuid(60));
  await page.user.click(dialog.getByRole("checkbox", { name: "По умолчанию" }));
  await page.user.click(save);
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  expect(page.asked("POST /admin/templates")[0]?.body).toEqual({
    name: "Семья",
    services: [films.id],
    interfaceId: uuid(60),
    configLimit: 6,
    quotaBytes: 50 * GIB,
    quotaAtEnd: "slow",
    quotaSlowMbit: 5,
    speedMbit: 20,
    isDefault: true,
  });
});

test("services that do not fit a phone together are marked as for a computer only", async () => {
  const page = await open([template()]);
  await act(page, "Изменить");
  const { dialog } = await dialogNamed("Шаблон «Семья»");
  expect(dialog.queryByText(/чем помещается на телефон/)).toBeNull();
  await page.user.click(dialog.getByRole("checkbox", { name: "Чаты" }));
  expect(dialog.getByText(/чем помещается на телефон/)).toBeTruthy();
});

test("a change sends only the differences and what was seen; somebody else's change is shown before it is replaced", async () => {
  const page = await open([template()], {
    "PUT /admin/templates/{id}": refused(409, "template.changed_meanwhile"),
  });
  await act(page, "Изменить");
  const { dialog, save } = await dialogNamed("Шаблон «Семья»");
  await page.user.clear(dialog.getByLabelText("Сколько конфигов можно создать"));
  await page.user.type(dialog.getByLabelText("Сколько конфигов можно создать"), "2");
  page.say({ "GET /admin/templates": [template({ configLimit: 9 })] });
  await page.user.click(save);
  await dialog.findByText("Пока вы редактировали, шаблон изменил другой администратор");
  expect(plain(dialog.getByText(/^Сколько конфигов можно создать:/).textContent)).toMatch(/: 9 конфигов$/);
  page.say({ "PUT /admin/templates/{id}": template({ configLimit: 2 }) });
  await page.user.click(save);
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  expect(page.asked("PUT /admin/templates/{id}").map(({ body }) => body)).toEqual([
    { configLimit: 2, expected: { configLimit: 6 } },
    { configLimit: 2, expected: { configLimit: 9 } },
  ]);
});

test("a quota that a script set to the byte stays exact when something else is changed", async () => {
  for (const quotaBytes of [10, GIB + 1]) {
    const page = await open([template({ quotaBytes })], { "PUT /admin/templates/{id}": template({ configLimit: 2 }) });
    await act(page, "Изменить");
    const { dialog, save } = await dialogNamed("Шаблон «Семья»");
    await page.user.clear(dialog.getByLabelText("Сколько конфигов можно создать"));
    await page.user.type(dialog.getByLabelText("Сколько конфигов можно создать"), "2");
    await page.user.click(save);
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
    expect(page.asked("PUT /admin/templates/{id}").map(({ body }) => body)).toEqual([
      { configLimit: 2, expected: { configLimit: 6 } },
    ]);
    cleanup();
  }
});

test("a taken name is reported at the name", async () => {
  const page = await open([template()], {
    "POST /admin/templates": refused(409, "template.name_taken", "Шаблон с таким названием уже есть."),
  });
  await page.user.click(page.panel.getByRole("button", { name: "Добавить шаблон" }));
  const { dialog, save } = await dialogNamed("Новый шаблон");
  await page.user.type(dialog.getByLabelText("Название"), "семья");
  await page.user.click(save);
  await dialog.findByText("Шаблон с таким названием уже есть.");
  expect(dialog.getByLabelText("Название").getAttribute("aria-invalid")).toBe("true");
});

test("deleting a template needs a confirmation that says what stays", async () => {
  const page = await open([template()], { "DELETE /admin/templates/{id}": undefined });
  await act(page, "Удалить");
  const dialog = within(await screen.findByRole("dialog", { name: "Удалить шаблон «Семья»?" }));
  expect(dialog.getByText(/Уже пришедшие сохранят/)).toBeTruthy();
  page.say({ "GET /admin/templates": [] });
  await page.user.click(dialog.getByRole("button", { name: "Удалить" }));
  await page.panel.findByText(/Шаблонов ещё нет/);
  expect(page.asked("DELETE /admin/templates/{id}")[0]?.path).toBe(`/admin/templates/${uuid(900)}`);
});

test("a list that cannot be loaded says so", async () => {
  await enter("/admin/system?section=club", {
    "GET /admin/system": systemState(),
    "GET /admin/templates": refused(500, "internal"),
  });
  const panel = within(await screen.findByRole("region", { name: /Шаблоны для новых участников/ }));
  await panel.findByText("Ошибка при загрузке шаблонов");
});
