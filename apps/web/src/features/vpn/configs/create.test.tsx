import { screen, waitFor, within } from "@testing-library/react";
import { expect, test } from "vitest";
import { made, openAgain, openForm, services } from "../../../testing/new-device.ts";
import { openPage, reopenPage, screens } from "../../../testing/open-page.tsx";
import { panel, refused } from "../../../testing/panel.ts";
import { cloudflare, config, member, service, uuid, wgInterface } from "../../../testing/samples.ts";

screens();

test("DNS and the first working interface are preselected, an inactive one can't be chosen and says why", async () => {
  const { dialog } = await openForm();
  expect(dialog.getByLabelText<HTMLSelectElement>("DNS").value).toBe(cloudflare.id);
  const server = dialog.getByLabelText<HTMLSelectElement>("Интерфейс сервера");
  expect(server.value).toBe(uuid(60));
  expect(within(server).getByRole<HTMLOptionElement>("option", { name: /Интерфейс не активен/ }).disabled).toBe(true);
});

test("a number of addresses is only shown for a part of the internet", async () => {
  const whole = { ...service(7, "Весь трафик", 0), ips: ["0.0.0.0/0", "::/0"], deviceTypes: ["phone" as const] };
  const { dialog, user } = await openForm({ "GET /services": [whole, ...services] });
  await user.click(dialog.getByRole("radio", { name: "Телефон" }));
  expect(dialog.getByRole("checkbox", { name: "Весь трафик" })).toBeTruthy();
  expect(dialog.getByRole("checkbox", { name: /^YouTube \d+\sадрес/ })).toBeTruthy();
});

test("on a slow connection the name is focused as soon as its form loads, unless somebody has begun with something else", async () => {
  let answer: (lists: typeof services) => void = () => {};
  const slow = { "GET /services": () => new Promise<typeof services>((resolve) => (answer = resolve)) };
  const openSlowly = async () => {
    panel({
      "GET /auth/me": member(),
      "GET /vpn/configs": [config()],
      "GET /dns": [cloudflare],
      "GET /vpn/available-interfaces": [wgInterface()],
      ...slow,
    });
    const { user } = openPage("/dashboard");
    await user.click((await screen.findAllByRole("button", { name: "Создать конфиг" }))[0] as HTMLElement);
    return { user, dialog: within(await screen.findByRole("dialog", { name: "Создание VPN конфига" })) };
  };
  const { dialog, user } = await openSlowly();
  const wayOut = dialog.getByRole("button", { name: "Закрыть" });
  await waitFor(() => expect(document.activeElement).toBe(wayOut));
  answer(services);
  const name = await dialog.findByLabelText("Имя");
  await waitFor(() => expect(document.activeElement).toBe(name));
  await user.tab();
  expect(document.activeElement).not.toBe(name);
});

test("each server shows what the panel knows of it, before and after it is chosen", async () => {
  const { dialog, user } = await openForm({
    "GET /vpn/available-interfaces": [
      wgInterface({ serverCountry: "FI" }),
      wgInterface({ id: uuid(61), serverName: "Осло", serverState: "busy", isPreferred: false }),
      wgInterface({ id: uuid(62), serverName: "Рига", serverState: "silent", isPreferred: false }),
    ],
  });
  const server = within(dialog.getByLabelText("Интерфейс сервера"));
  expect(server.getAllByRole("option").map(({ textContent }) => textContent)).toEqual([
    "Хельсинки: Interface 1 (отвечает)",
    "Осло: Interface 1 (почти заполнен)",
    "Рига: Interface 1 (не отвечает)",
  ]);
  expect(dialog.getByText("Финляндия, сервер отвечает")).toBeTruthy();
  await user.selectOptions(dialog.getByLabelText("Интерфейс сервера"), uuid(62));
  expect(dialog.getByText(/сервер сейчас не отвечает/)).toBeTruthy();
});

test("the button waits for a name and a service, and says so", async () => {
  const { submit, fill, dialog, user } = await openForm();
  expect(submit().disabled).toBe(true);
  const why = () => document.getElementById(submit().getAttribute("aria-describedby") ?? "")?.textContent;
  expect(why()).toBe("Осталось указать: имя, сервисы");
  await user.type(dialog.getByLabelText("Имя"), "x");
  expect(why()).toBe("Осталось указать: сервисы");
  await user.clear(dialog.getByLabelText("Имя"));
  await fill();
  expect(submit().disabled).toBe(false);
  expect(dialog.queryByText(/^Осталось указать/)).toBeNull();
});

test("reopened, the form is reset and offers the draft, also after a reload", async () => {
  const { user, fill, dialog } = await openForm();
  await fill("tablet");
  await user.click(dialog.getByRole("button", { name: "Закрыть" }));
  let again = await openAgain(user);
  expect((await again.findByLabelText<HTMLInputElement>("Имя")).value).toBe("");
  expect(again.getByRole<HTMLInputElement>("checkbox", { name: /YouTube/ }).checked).toBe(false);
  const page = reopenPage("/dashboard");
  again = await openAgain(page.user);
  await page.user.click(await again.findByRole("button", { name: "Продолжить начатое" }));
  expect(again.getByLabelText<HTMLInputElement>("Имя").value).toBe("tablet");
  expect(again.getByRole<HTMLInputElement>("checkbox", { name: /YouTube/ }).checked).toBe(true);
  expect(again.queryByRole("button", { name: "Продолжить начатое" })).toBeNull();
});

test("a created device is not offered as a draft", async () => {
  const { user, fill, submit } = await openForm({ "POST /vpn/configs": made });
  await fill();
  await user.click(submit());
  await user.click(
    within(await screen.findByRole("dialog", { name: "pixel" })).getByRole("button", { name: "Закрыть" }),
  );
  const again = await openAgain(user);
  await again.findByLabelText("Имя");
  expect(again.queryByRole("button", { name: "Продолжить начатое" })).toBeNull();
});

test("a name with other characters is reported while it is typed, and is not sent", async () => {
  const { dialog, fill, user, submit, asked } = await openForm();
  await fill("мой телефон");
  expect(
    dialog.getByText("Имя может содержать только английские буквы, цифры, дефис и подчеркивание без пробелов"),
  ).toBeTruthy();
  await user.click(submit());
  expect(dialog.getByText("Некорректное имя конфигурации")).toBeTruthy();
  expect(asked("POST /vpn/configs")).toHaveLength(0);
});

test("a phone takes 120 addresses: services that would exceed them can't be chosen and say why", async () => {
  const { dialog, user, fill } = await openForm();
  await fill();
  await user.click(dialog.getByRole("checkbox", { name: /Instagram/ }));
  expect(dialog.getByText("98").parentElement?.textContent).toBe("98 из 120 адресов");
  const netflix = dialog.getByRole<HTMLInputElement>("checkbox", { name: /Netflix/ });
  expect(netflix.disabled).toBe(true);
  expect(dialog.getByText("Превышен лимит IP-адресов для телефона (120). Выберите меньше сервисов.")).toBeTruthy();
  await user.click(dialog.getByRole("checkbox", { name: /Instagram/ }));
  expect(netflix.disabled).toBe(false);
});

test("changing the type of device clears the services", async () => {
  const { dialog, user, fill } = await openForm();
  await fill();
  await user.click(dialog.getByRole("radio", { name: "Компьютер" }));
  expect(dialog.getByRole<HTMLInputElement>("checkbox", { name: /YouTube/ }).checked).toBe(false);
});

test("the chosen values are sent once, with a key that makes a repetition safe", async () => {
  const { user, fill, submit, asked, dialog } = await openForm({ "POST /vpn/configs": () => new Promise(() => {}) });
  await fill();
  await user.click(submit());
  await user.click(await dialog.findByRole("button", { name: "Создание..." }));
  const [sent, ...again] = asked("POST /vpn/configs");
  expect(again).toEqual([]);
  expect(sent?.body).toEqual({
    userId: uuid(1),
    name: "pixel",
    deviceType: "phone",
    services: [uuid(30)],
    dns: uuid(50),
    interfaceId: uuid(60),
  });
  expect(sent?.headers.get("idempotency-key")).toMatch(/^[0-9a-f]{32}$/);
});

test("after silence an unchanged request keeps its key, a changed one gets a new one", async () => {
  const { user, fill, submit, asked, dialog, say } = await openForm({ "POST /vpn/configs": "silence" });
  await fill();
  await user.click(submit());
  await dialog.findByText(/Ошибка при создании конфигурации\. Панель клуба не отвечает/);
  say({ "POST /vpn/configs": refused(500, "unexpected") });
  await user.click(submit());
  await dialog.findByText("Ошибка при создании конфигурации");
  await user.type(dialog.getByLabelText("Имя"), "2");
  await user.click(submit());
  await waitFor(() => expect(asked("POST /vpn/configs")).toHaveLength(3));
  const [first, second, third] = asked("POST /vpn/configs").map(({ headers }) => headers.get("idempotency-key"));
  expect(second).toBe(first);
  expect(third).not.toBe(first);
});

test("a taken name is reported at the name, in the server's words", async () => {
  const { user, fill, submit, dialog } = await openForm({
    "POST /vpn/configs": refused(409, "config.name_taken", "У вас уже есть конфигурация с таким именем."),
  });
  await fill();
  await user.click(submit());
  await dialog.findByText("У вас уже есть конфигурация с таким именем.");
  expect(dialog.getByLabelText("Имя").getAttribute("aria-invalid")).toBe("true");
});

test("a member who was blocked meanwhile reads why nothing is created", async () => {
  const { user, fill, submit, dialog, asked } = await openForm({ "GET /auth/me": member({ isActive: false }) });
  await fill();
  await user.click(submit());
  expect(dialog.getByText("Ваш аккаунт заблокирован. Пожалуйста, свяжитесь с администрацией.")).toBeTruthy();
  expect(asked("POST /vpn/configs")).toHaveLength(0);
});

test("lists that can't be loaded are reported, and can be retried", async () => {
  panel({
    "GET /auth/me": member(),
    "GET /vpn/configs": [],
    "GET /services": refused(500, "unexpected"),
    "GET /dns": [cloudflare],
    "GET /vpn/available-interfaces": [wgInterface()],
  });
  const { user } = openPage("/dashboard");
  await user.click((await screen.findAllByRole("button", { name: "Создать конфиг" }))[0] as HTMLElement);
  expect(await screen.findByText("Не получилось загрузить сервисы и серверы")).toBeTruthy();
  expect(screen.getByRole("button", { name: "Повторить" })).toBeTruthy();
});
