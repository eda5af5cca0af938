import { screen, waitFor, within } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import { openPage, screens } from "../../../testing/open-page.tsx";
import { type Panel, panel, refused } from "../../../testing/panel.ts";
import { cloudflare, config, member, service, uuid, wgInterface } from "../../../testing/samples.ts";
import { Stream } from "../../../testing/stream.ts";
import type { Config } from "./queries.ts";

screens();

const video = service(0, "YouTube", 90);
const chat = service(1, "Telegram", 90);
const ads = { ...service(2, "Реклама", 3), exit: "closed" as const };

/** The panel's answer to a choice, kept for the list. */
async function open(about: Partial<Config> = {}, says: Panel = {}) {
  let one = config({ routing: "server", ...about });
  const club = panel({
    "GET /auth/me": member(),
    "GET /vpn/configs": () => [one],
    "GET /vpn/available-interfaces": [wgInterface({ routing: "server" })],
    "GET /services": [video, chat, ads],
    "GET /dns": [cloudflare],
    "GET /vpn/suggested-services": [],
    "PUT /vpn/configs/{id}": ({ body }) => {
      one = { ...one, ...(body as Partial<Config>) };
      return { ...one, template: null };
    },
    ...says,
  });
  const page = openPage("/dashboard");
  const card = within(await screen.findByRole("article", { name: "iphone-marina" }));
  const chip = (name: string) => card.findByRole("button", { name: new RegExp(`^${name}`) });
  const isOn = async (name: string) => (await chip(name)).getAttribute("aria-pressed") === "true";
  const chosen = () => club.asked("PUT /vpn/configs/{id}").map(({ body }) => body);
  return { ...club, ...page, card, chip, isOn, chosen };
}

test("where the file decides, the card offers no services and asks for none", async () => {
  const { card, asked } = await open({ routing: "device" });
  expect(card.queryByRole("group", { name: "Сервисы" })).toBeNull();
  expect(asked("GET /services")).toEqual([]);
});

test("a press on the card switches a service at once, beyond a phone's 120 addresses, and the file stays", async () => {
  const { user, card, chip, isOn, chosen } = await open();
  await user.click(await chip("Telegram"));
  await waitFor(() => expect(chosen()).toEqual([{ services: [video.id, chat.id] }]));
  expect(await isOn("Telegram")).toBe(true);
  expect(card.getByText(/файл остаётся прежним/)).toBeTruthy();
  expect(card.queryByText(/скачайте заново/)).toBeNull();
  await user.click(await chip("YouTube"));
  await waitFor(() => expect(chosen().at(-1)).toEqual({ services: [chat.id] }));
  expect(await isOn("YouTube")).toBe(false);
});

test("presses in a row end with what was pressed last, one request after another", async () => {
  const answers: (() => void)[] = [];
  const { user, chip, isOn, chosen } = await open(
    {},
    {
      "PUT /vpn/configs/{id}": ({ body }) =>
        new Promise((resolve) =>
          answers.push(() =>
            resolve({ ...config({ routing: "server", ...(body as Partial<Config>) }), template: null }),
          ),
        ),
    },
  );
  await user.click(await chip("Telegram"));
  await user.click(await chip("Реклама"));
  await user.click(await chip("YouTube"));
  expect(chosen()).toHaveLength(1);
  answers.shift()?.();
  await waitFor(() => expect(chosen()).toHaveLength(2));
  expect(chosen().at(-1)).toEqual({ services: [chat.id, ads.id] });
  expect([await isOn("YouTube"), await isOn("Telegram"), await isOn("Реклама")]).toEqual([false, true, true]);
});

test("what could not be switched goes back, with the reason", async () => {
  const { user, card, chip, isOn } = await open(
    {},
    { "PUT /vpn/configs/{id}": refused(400, "service.unknown", "Такого сервиса больше нет.") },
  );
  await user.click(await chip("Telegram"));
  expect(await card.findByText("Такого сервиса больше нет.")).toBeTruthy();
  expect(await isOn("Telegram")).toBe(false);
});

test("without a connection nothing seems switched", async () => {
  const { user, card, chip, isOn } = await open({}, { "PUT /vpn/configs/{id}": "silence" });
  await user.click(await chip("Telegram"));
  expect(await card.findByText(/Не получилось переключить/)).toBeTruthy();
  expect(await isOn("Telegram")).toBe(false);
});

test("the last service stays, and the card says why", async () => {
  const { user, card, chip, isOn, chosen } = await open();
  await user.click(await chip("YouTube"));
  expect(await card.findByText("Хотя бы один сервис должен остаться.")).toBeTruthy();
  expect(await isOn("YouTube")).toBe(true);
  expect(chosen()).toEqual([]);
});

test("a choice made in another tab shows, and the next press adds to it", async () => {
  Stream.all = [];
  vi.stubGlobal("EventSource", Stream);
  let services = [video.id];
  const one = () => config({ routing: "server", services });
  const { user, chip, isOn, chosen } = await open({}, { "GET /vpn/configs": () => [one()] });
  Stream.all[0]?.opens();
  expect(await isOn("Telegram")).toBe(false);
  services = [video.id, chat.id];
  Stream.all[0]?.tell("changed", { topic: "configs" });
  await waitFor(async () => expect(await isOn("Telegram")).toBe(true));
  await user.click(await chip("Реклама"));
  await waitFor(() => expect(chosen()).toEqual([{ services: [video.id, chat.id, ads.id] }]));
});

test("a service that the server closes says so", async () => {
  const { chip } = await open({ services: [ads.id] });
  expect((await chip("Реклама")).textContent).toContain("не открывается");
});

test.each([
  [{ instead: "wait", other: null }, /^Выход «Хельсинки» не отвечает с \d\d:\d\d\. Его сервисы откроются/],
  [{ instead: "direct", other: null }, /прямо с вашего сервера/],
  [{ instead: "other", other: "Рига" }, /через «Рига»/],
] as const)("the card says when its exit is down, and what happens meanwhile %#", async (about, words) => {
  const since = new Date(Date.now() - 60_000).toISOString();
  const { card } = await open({ exitsDown: [{ server: "Хельсинки", since, ...about }] });
  expect((await card.findByText(/Выход/)).textContent?.replace(/\s/g, " ")).toMatch(words);
});

test("an exit that has never answered is shown as one that is being made", async () => {
  const { card } = await open({ exitsDown: [{ server: "Хельсинки", since: null, instead: "wait", other: null }] });
  expect(await card.findByText("Выход «Хельсинки» ещё подключается.")).toBeTruthy();
});

test("until the new file is on the device, the card says to download it once", async () => {
  const { card } = await open({ needsDownload: true });
  expect(await card.findByText(/Скачайте файл ещё раз/)).toBeTruthy();
});

test("of many services the card shows the chosen ones first, and a sheet switches all of them", async () => {
  const many = Array.from({ length: 12 }, (_, n) => service(n, `Сервис ${n + 1}`, 40));
  const { user, card, chosen } = await open({ services: [uuid(41)] }, { "GET /services": many });
  expect(await card.findByRole("button", { name: "Сервис 12", pressed: true })).toBeTruthy();
  expect(card.queryByRole("button", { name: "Сервис 11" })).toBeNull();
  await user.click(card.getByRole("button", { name: "Все сервисы: iphone-marina" }));
  const sheet = within(await screen.findByRole("dialog", { name: "Сервисы: iphone-marina" }));
  expect(sheet.queryByText(/120/)).toBeNull();
  await user.click(sheet.getByRole("checkbox", { name: /^Сервис 11/ }));
  await waitFor(() => expect(chosen()).toEqual([{ services: [uuid(41), uuid(40)] }]));
  await user.click(sheet.getByRole("button", { name: "Готово" }));
  expect(await card.findByRole("button", { name: "Сервис 11", pressed: true })).toBeTruthy();
});

test("services that could not be loaded can be asked for again", async () => {
  const { user, card, chip, say } = await open({}, { "GET /services": refused(500, "unexpected") });
  await user.click(await card.findByRole("button", { name: "Повторить" }, { timeout: 5_000 }));
  say({ "GET /services": [video, chat] });
  await user.click(await card.findByRole("button", { name: "Повторить" }));
  expect(await chip("Telegram")).toBeTruthy();
});

test("a new device on such an interface has no limit of 120, and hears that its file will stay", async () => {
  const { user, asked } = await open({}, { "POST /vpn/configs": { ...config({ routing: "server" }), template: null } });
  await user.click(screen.getAllByRole("button", { name: "Создать конфиг" })[0] as HTMLElement);
  const dialog = within(await screen.findByRole("dialog"));
  await user.type(await dialog.findByLabelText("Имя"), "tablet");
  await user.click(dialog.getByText("Телефон"));
  expect(dialog.getByText(/файл остаётся прежним/)).toBeTruthy();
  expect(dialog.queryByText(/120/)).toBeNull();
  for (const name of [/^YouTube/, /^Telegram/]) await user.click(dialog.getByRole("checkbox", { name }));
  await user.click(dialog.getByRole("button", { name: "Создать конфиг" }));
  await waitFor(() => expect(asked("POST /vpn/configs")).toHaveLength(1));
  expect(asked("POST /vpn/configs")[0]?.body).toMatchObject({ services: [video.id, chat.id] });
});
