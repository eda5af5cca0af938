import { screen, waitFor, within } from "@testing-library/react";
import { describe, expect, test } from "vitest";
import { openFirst, openForm, services } from "../../../testing/new-device.ts";
import { screens } from "../../../testing/open-page.tsx";
import { config, service, uuid } from "../../../testing/samples.ts";

screens();

test("services that together cover the whole internet are marked so, and one that already says it is not", async () => {
  const half = (n: number, name: string, ...ips: string[]) => ({ ...service(n, name, 0), ips });
  const { user, dialog } = await openFirst({
    "GET /services": [
      half(1, "Левая", "0.0.0.0/1"),
      half(2, "Правая", "128.0.0.0/2", "192.0.0.0/2"),
      half(3, "Весь трафик", "0.0.0.0/0"),
    ],
  });
  await user.click(await dialog.findByRole("button", { name: "Настроить самому" }));
  const choose = async (name: RegExp) => user.click(await dialog.findByRole("checkbox", { name }));
  await user.click(dialog.getByRole("radio", { name: "Телефон" }));
  await choose(/Весь/);
  await choose(/Правая/);
  expect(dialog.queryByText(/^Выбранное вместе — весь интернет/)).toBeNull();
  await choose(/Весь/);
  await choose(/Левая/);
  expect(dialog.getByText(/^Выбранное вместе — весь интернет/)).toBeTruthy();
});

test("the first device of a member who joined by a template starts with its services", async () => {
  const { user, dialog, asked } = await openFirst({
    "GET /vpn/suggested-services": [services[0]?.id ?? "", uuid(999)],
  });
  expect(await dialog.findByText("YouTube")).toBeTruthy();
  expect(dialog.queryByText("Весь трафик")).toBeNull();
  await user.click(dialog.getByRole("radio", { name: "Телефон" }));
  await user.click(dialog.getByRole("button", { name: "Создать конфиг" }));
  await screen.findByRole("dialog", { name: "pixel" });
  expect(asked("POST /vpn/configs")[0]?.body).toMatchObject({ services: [services[0]?.id] });
});

test("each further device starts with them too, on a phone only if they fit; the ticks can be changed", async () => {
  const ids = services.map(({ id }) => id);
  const { user, dialog } = await openFirst({
    "GET /vpn/configs": [config()],
    "GET /vpn/suggested-services": ids,
  });
  const ticked = () =>
    dialog
      .getAllByRole<HTMLInputElement>("checkbox")
      .filter(({ checked }) => checked)
      .map(({ labels }) => labels?.[0]?.textContent?.split(" ")[0]);
  await user.click(await dialog.findByRole("button", { name: "Настроить самому" }));
  await waitFor(() => expect(ticked()).toEqual(["YouTube", "Instagram", "Netflix"]));
  await user.click(dialog.getByRole("checkbox", { name: /Instagram/ }));
  expect(ticked()).toEqual(["YouTube", "Netflix"]);
  await user.click(dialog.getByRole("radio", { name: "Телефон" }));
  expect(ticked(), "38 + 60 + 42 addresses are too many").toEqual([]);
});

describe("a long list of services", () => {
  const many = [
    { ...service(0, "YouTube", 3), group: "video" as const, description: "Ролики и трансляции", picture: "▶️" },
    ...Array.from({ length: 12 }, (_, n) => service(n + 1, `Сервис ${n + 1}`, 1)),
    { ...service(20, "Telegram", 2), group: "messengers" as const },
  ];

  test("stands in groups, each service with its picture and sentence", async () => {
    const { dialog } = await openForm({ "GET /services": many });
    const groups = dialog.getAllByRole("region").map((region) => region.getAttribute("aria-label"));
    expect(groups).toEqual(["Видео", "Мессенджеры", "Другое"]);
    const video = within(dialog.getByRole("region", { name: "Видео" }));
    expect(video.getByRole("checkbox", { name: /^YouTube .* Ролики и трансляции$/ })).toBeTruthy();
  });

  test("is searched by name, group and sentence; Enter does not send the form, and what was chosen stays chosen", async () => {
    const { dialog, user, asked } = await openForm({ "GET /services": many });
    await user.click(dialog.getByRole("checkbox", { name: /Telegram/ }));
    const search = dialog.getByRole("searchbox", { name: "Найти сервис" });
    await user.type(search, "ролики{Enter}");
    expect(dialog.getAllByRole("checkbox").filter((box) => box.closest("ul"))).toHaveLength(1);
    await user.clear(search);
    await user.type(search, "zzz");
    expect(dialog.getByText("Такого сервиса нет.")).toBeTruthy();
    await user.clear(search);
    expect(dialog.getByRole<HTMLInputElement>("checkbox", { name: /Telegram/ }).checked).toBe(true);
    expect(asked("POST /vpn/configs")).toHaveLength(0);
  });

  test("a short one has neither search nor, of one group, its name", async () => {
    const { dialog } = await openForm();
    expect(dialog.queryByRole("searchbox")).toBeNull();
    expect(dialog.queryByText("Другое")).toBeNull();
  });
});

test("a member asks for a service that is missing, by the name they looked for, without leaving the form", async () => {
  const many = Array.from({ length: 13 }, (_, n) => service(n, `Сервис ${n}`, 1));
  const { dialog, user, asked } = await openForm({
    "GET /services": many,
    "POST /support/tickets": { id: uuid(900) } as never,
  });
  await user.type(dialog.getByLabelText("Имя"), "pixel");
  await user.type(dialog.getByRole("searchbox", { name: "Найти сервис" }), "Кинозал");
  await user.click(dialog.getByRole("button", { name: "Нет нужного?" }));
  expect(dialog.getByLabelText<HTMLInputElement>("Какой сервис нужен").value).toBe("Кинозал");
  await user.type(dialog.getByLabelText("Какой сервис нужен"), " онлайн{Enter}");
  await dialog.findByText(/^Попросили добавить: Кинозал онлайн/);
  expect(asked("POST /support/tickets")[0]?.body).toMatchObject({ category: "feature", service: "Кинозал онлайн" });
  expect(asked("POST /vpn/configs")).toHaveLength(0);
  expect(dialog.getByLabelText<HTMLInputElement>("Имя").value).toBe("pixel");
});
