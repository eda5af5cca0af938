import { fireEvent, screen, waitFor, within } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import { screens } from "../../../testing/open-page.tsx";
import { type Panel, refused } from "../../../testing/panel.ts";
import { PLAIN_LOOK, uuid } from "../../../testing/samples.ts";
import { admin, enter, moderator } from "../../../testing/staff.ts";
import { doWork, type Work } from "./list-works.ts";

screens();

const video = {
  id: uuid(31),
  name: "Видео",
  ips: ["142.250.0.0/15", "2001:db8::/32"],
  deviceTypes: ["all" as const],
  allBut: false,
  ...PLAIN_LOOK,
};
const large = {
  id: uuid(32),
  name: "Большой",
  ips: Array.from({ length: 121 }, (_, index) => `10.0.0.${index}`),
  deviceTypes: ["computer" as const],
  allBut: true,
  ...PLAIN_LOOK,
};
const cloudflare = { id: uuid(50), name: "Cloudflare", ips: ["1.1.1.1", "1.0.0.1"] };
const typed = (text: string, allBut = false, sources: string[] = []) => ({
  text,
  allBut,
  sources,
  mark: `mark of ${text}`,
});
const open = (says: Panel = {}, me = admin) =>
  enter(
    "/admin/wireguard",
    {
      "GET /services": [video, large],
      "GET /dns": [cloudflare],
      "GET /admin/catalog/usage": { services: [{ id: video.id, configs: 12 }], dns: [] },
      "POST /services/{id}/effect": { toDownload: 9, phonesOver: 0 },
      "POST /dns/{id}/effect": { toDownload: 9 },
      "GET /admin/catalog/own-networks": ["10.9.0.0/24"],
      "GET /services/{id}/typed": typed(video.ips.join(", ")),
      "GET /admin/exits": { servers: [{ id: uuid(71), name: "Хельсинки" }], links: [] },
      ...says,
    },
    me,
  );
type User = Awaited<ReturnType<typeof open>>["user"];
const act = async (user: User, name: string, action: string) => {
  await user.click(await screen.findByRole("button", { name: `Действия: ${name}` }));
  await user.click(await screen.findByRole("menuitem", { name: action }));
  return within(await screen.findByRole("dialog"));
};
const ipsOf = (dialog: ReturnType<typeof within>) => dialog.getByLabelText("IP-адреса и сети через запятую");

test("both lists show addresses, devices and how many configs use an entry; one too large for a phone is marked", async () => {
  await open();
  const row = await screen.findByRole("row", { name: /Видео/ });
  await waitFor(() => expect(row.textContent).toMatch(/2\sсети142\.250\.0\.0\/15, 2001:db8::\/32Всев 12\sконфигах/));
  expect(screen.getByRole("row", { name: /Большой/ }).textContent).toMatch(
    /Всё, кроме списка · 121\sадрес · Больше, чем помещается на телефон/,
  );
  expect(row.textContent).not.toContain("кроме");
  expect(screen.getByRole("row", { name: /Cloudflare/ }).textContent).toContain("нигде");
});

test("a service's exit is shown if it is not the usual one, and chosen in its form", async () => {
  const ads = { ...video, id: uuid(33), name: "Реклама", exit: "closed" as const };
  const abroad = { ...video, id: uuid(34), name: "Заблокированное", exit: uuid(71) };
  const { user, asked, say } = await open({
    "GET /services": [video, ads, abroad],
    "PUT /services/{id}": refused(409, "exit.cannot_route", "Сервер «Хельсинки» не может быть выходом."),
  });
  const found = await screen.findByRole("row", { name: /Заблокированное/ });
  await waitFor(() => expect(found.textContent).toContain("Выход: Хельсинки"));
  expect((await screen.findByRole("row", { name: /Реклама/ })).textContent).toContain("Выход: закрыт");
  expect(screen.getByRole("row", { name: /Видео/ }).textContent).not.toContain("Выход");
  const dialog = await act(user, "Видео", "Изменить");
  const exit = await dialog.findByLabelText("Выход");
  await user.selectOptions(exit, await dialog.findByRole("option", { name: "Через сервер «Хельсинки»" }));
  await user.click(dialog.getByRole("button", { name: "Сохранить" }));
  await dialog.findByText("Сервер «Хельсинки» не может быть выходом.");
  expect(exit.getAttribute("aria-invalid")).toBe("true");
  say({ "PUT /services/{id}": ads });
  await user.selectOptions(exit, "Закрыт");
  await user.click(dialog.getByRole("button", { name: "Сохранить" }));
  await waitFor(() => expect(asked("PUT /services/{id}")).toHaveLength(2));
  expect(asked("PUT /services/{id}")[0]?.body).toMatchObject({ exit: uuid(71) });
  expect(asked("PUT /services/{id}")[1]?.body).toMatchObject({ exit: "closed", expected: { exit: "direct" } });
});

test("an entry is found by its name or one of its addresses, in both lists, and the search is in the address bar", async () => {
  const { user, address } = await open();
  await screen.findByText("Видео");
  await user.type(screen.getByRole("searchbox", { name: "Название или адрес" }), "1.0.0.1");
  await waitFor(() => expect(screen.queryByText("Видео")).toBeNull());
  expect(screen.getByText("Cloudflare")).toBeTruthy();
  expect(address()).toBe("/admin/wireguard?q=1.0.0.1");
  await user.click(screen.getAllByRole("button", { name: "Показать все" })[0]!);
  await screen.findByText("Видео");
});

test("each wrong address is named and nothing is sent; valid ones are sent trimmed", async () => {
  const { user, asked } = await open({ "POST /services": video });
  await user.click(await screen.findByRole("button", { name: "Добавить сервис" }));
  const dialog = within(await screen.findByRole("dialog", { name: "Новый сервис" }));
  await user.type(ipsOf(dialog), "1.2.3.4, 999.1.1.1,example.com");
  await user.click(dialog.getByRole("button", { name: "Сохранить" }));
  await dialog.findByText("«999.1.1.1» — не IP-адрес и не сеть");
  expect(dialog.getByText("«example.com» — имя сайта: укажите его в источниках")).toBeTruthy();
  expect(dialog.getByText("Название не может быть пустым")).toBeTruthy();
  expect(asked("POST /services")).toHaveLength(0);
  await user.type(dialog.getByLabelText("Название"), "Видео");
  await user.clear(ipsOf(dialog));
  await user.type(ipsOf(dialog), " 1.2.3.4 ,, 10.0.0.0/8");
  expect(dialog.getByText(/^2\sсети/)).toBeTruthy();
  await user.click(dialog.getByLabelText("Телефон"));
  await user.click(dialog.getByRole("button", { name: "Сохранить" }));
  await screen.findByText("Видео: добавлено");
  expect(asked("POST /services")[0]?.body).toEqual({
    name: "Видео",
    typed: " 1.2.3.4 ,, 10.0.0.0/8",
    deviceTypes: ["phone"],
  });
});

test("a list is sent and opened again as it was typed, comments and all", async () => {
  const text = "# Telegram\n91.108.4.0/22\n\n91.108.8.0/22 # DC\n; old\n//149.154.160.0/20";
  const { user, asked, say } = await open({ "POST /services": video, "PUT /services/{id}": video });
  await user.click(await screen.findByRole("button", { name: "Добавить сервис" }));
  const dialog = within(await screen.findByRole("dialog", { name: "Новый сервис" }));
  await user.type(dialog.getByLabelText("Название"), "Видео");
  await user.click(ipsOf(dialog));
  await user.paste(text);
  expect(dialog.getByText(/^2\sсети$/)).toBeTruthy();
  await user.click(dialog.getByRole("button", { name: "Сохранить" }));
  await screen.findByText("Видео: добавлено");
  expect(asked("POST /services")[0]?.body).toMatchObject({ typed: text });

  say({ "GET /services/{id}/typed": typed(text) });
  const again = await act(user, "Видео", "Изменить");
  expect((ipsOf(again) as HTMLTextAreaElement).value).toBe(text);
  await user.type(ipsOf(again), "\n8.8.8.8 # Google");
  await user.click(again.getByRole("button", { name: "Сохранить" }));
  await screen.findByText("Видео: сохранено");
  expect(asked("PUT /services/{id}")[0]?.body).toMatchObject({
    typed: `${text}\n8.8.8.8 # Google`,
    expected: { typed: typed(text).mark },
  });
});

const sourceAt = (path: string, more: object = {}) => ({
  id: uuid(60),
  source: `https://lists.example/${path}`,
  networks: 203,
  unread: 0,
  goodAt: "2026-11-20T09:00:00.000Z",
  failingSince: null,
  why: null,
  held: false,
  waiting: null,
  ...more,
});
const sourcesIn = (dialog: ReturnType<typeof within>) => dialog.getByLabelText(/^Источники/) as HTMLTextAreaElement;

test("a service can consist of sources only: each wrong one is named, and one without a list is reported there", async () => {
  const failed = "Источник не отдал список, ничего не изменено. https://lists.example/video: ответ 404";
  const { user, asked, say } = await open({ "POST /services": refused(400, "source.failed", failed) });
  await user.click(await screen.findByRole("button", { name: "Добавить сервис" }));
  const dialog = within(await screen.findByRole("dialog", { name: "Новый сервис" }));
  await user.type(dialog.getByLabelText("Название"), "Видео");
  await user.type(sourcesIn(dialog), "http://lists.example/a\nhttps://lists.example/video");
  await user.click(dialog.getByRole("button", { name: "Сохранить" }));
  await dialog.findByText("«http://lists.example/a» — не https-адрес списка, не номер AS, не страна и не имя сайта");
  expect(asked("POST /services")).toHaveLength(0);
  await user.clear(sourcesIn(dialog));
  await user.type(sourcesIn(dialog), "https://lists.example/video\n");
  await user.click(dialog.getByRole("button", { name: "Сохранить" }));
  await dialog.findByText(failed);
  say({ "POST /services": video });
  await user.click(dialog.getByRole("button", { name: "Сохранить" }));
  await screen.findByText("Видео: добавлено");
  expect(asked("POST /services").at(-1)?.body).toEqual({
    name: "Видео",
    typed: "",
    sources: ["https://lists.example/video"],
    deviceTypes: ["all"],
  });
});

test("source status is shown and refreshed at a press; only changed sources are sent, with what was seen", async () => {
  const why = { code: "web.status", ru: "ответ 503", en: "answer 503", said: null };
  const { user, asked } = await open({
    "GET /services/{id}/typed": typed("", false, ["https://lists.example/a"]),
    "GET /services/{id}/sources": [sourceAt("a", { unread: 2, why, failingSince: "2026-11-21T08:00:00.000Z" })],
    "POST /services/{id}/sources": [sourceAt("a", { networks: 204 })],
    "PUT /services/{id}": video,
  });
  const dialog = await act(user, "Видео", "Изменить");
  const state = within(await dialog.findByRole("region", { name: "Состояние источников" }));
  await state.findByText(/^203\sсети, .*назад · непонятных строк: 2$/);
  expect(state.getByText("ответ 503")).toBeTruthy();
  await user.click(state.getByRole("button", { name: "Обновить сейчас" }));
  await state.findByText(/^204\sсети/);
  expect(state.queryByText("ответ 503")).toBeNull();
  expect(dialog.queryByText(/Файл устареет/)).toBeNull();
  await user.type(sourcesIn(dialog), "\nhttps://lists.example/b");
  await user.click(dialog.getByRole("button", { name: "Сохранить" }));
  await screen.findByText("Видео: сохранено");
  expect(asked("PUT /services/{id}")[0]?.body).toEqual({
    sources: ["https://lists.example/a", "https://lists.example/b"],
    deviceTypes: ["all"],
    expected: {
      name: "Видео",
      deviceTypes: ["all"],
      typed: typed("").mark,
      sources: ["https://lists.example/a"],
    },
  });
});

test("a list that waits shows what it changes, and is accepted or refused as it was seen", async () => {
  const waiting = {
    since: "2026-11-21T08:00:00.000Z",
    networks: 7,
    mark: "mark of seven",
    gained: ["203.0.113.0/24"],
    lost: Array.from({ length: 6 }, (_, n) => `192.0.2.${n}/32`),
  };
  const { user, asked } = await open({
    "GET /services/{id}/typed": typed("", false, ["https://lists.example/a"]),
    "GET /services/{id}/sources": [sourceAt("a", { waiting })],
    "PUT /services/{id}/sources/{source}": [sourceAt("a", { networks: 7 })],
  });
  const dialog = await act(user, "Видео", "Изменить");
  const list = within(await dialog.findByRole("region", { name: "Новый список: https://lists.example/a" }));
  expect(list.getByText(/Прибавится/).textContent).toMatch(/1\sсеть: 203\.0\.113\.0\/24$/);
  expect(list.getByText(/Убавится/).textContent).toMatch(/6\sсетей: 192\.0\.2\.0\/32, .*\/32 и ещё 1$/);
  await user.click(list.getByRole("button", { name: "Принять" }));
  await dialog.findByText(/^7\sсетей/);
  expect(dialog.queryByRole("region", { name: /Новый список/ })).toBeNull();
  expect(asked("PUT /services/{id}/sources/{source}")[0]?.body).toEqual({ accept: true, mark: "mark of seven" });
});

test("an earlier version is compared with the list in force and brought back", async () => {
  const version = (n: number, madeAt: string, isCurrent = false) => ({ id: uuid(n), madeAt, networks: n, isCurrent });
  const { user, asked } = await open({
    "GET /services/{id}/typed": typed("", false, ["https://lists.example/a"]),
    "GET /services/{id}/sources": [sourceAt("a")],
    "GET /services/{id}/sources/{source}/versions": [
      version(71, "2026-11-20T09:00:00.000Z", true),
      version(70, "2026-11-19T09:00:00.000Z"),
    ],
    "GET /services/{id}/sources/{source}/versions/{version}": { gained: [], lost: ["192.0.2.1/32"] },
    "PUT /services/{id}/sources/{source}/versions": [sourceAt("a", { networks: 70, held: true })],
  });
  const dialog = await act(user, "Видео", "Изменить");
  await user.click(await dialog.findByRole("button", { name: "Версии: https://lists.example/a" }));
  await dialog.findByText(/^71\sсеть · в силе$/);
  await user.click(dialog.getByRole("button", { name: /^Сравнить.*19\sноября/ }));
  expect((await dialog.findByText(/Убавится/)).textContent).toMatch(/1\sсеть: 192\.0\.2\.1\/32$/);
  await user.click(dialog.getByRole("button", { name: /^Вернуть: 19\sноября/ }));
  await dialog.findByText(/возвращён прежний список/);
  expect(asked("PUT /services/{id}/sources/{source}/versions")[0]?.body).toEqual({ version: uuid(70) });
});

test("for a service with sources, the panel counts what an edit affects", async () => {
  const { user, asked } = await open({
    "GET /services/{id}/typed": typed("1.1.1.1", false, ["https://lists.example/a"]),
    "GET /services/{id}/sources": [sourceAt("a")],
  });
  const dialog = await act(user, "Видео", "Изменить");
  await user.type(ipsOf(dialog), ", 8.8.8.8");
  await dialog.findByText(/Файл устареет на 9/);
  expect(asked("POST /services/{id}/effect").at(-1)?.body).toEqual({ typed: "1.1.1.1, 8.8.8.8", allBut: false });
});

test("a router's list is sent as its networks; an unreadable line is named with its number", async () => {
  const { user, asked } = await open({ "POST /services": video });
  await user.click(await screen.findByRole("button", { name: "Добавить сервис" }));
  const dialog = within(await screen.findByRole("dialog", { name: "Новый сервис" }));
  await user.type(dialog.getByLabelText("Название"), "Видео");
  await user.click(ipsOf(dialog));
  await user.paste("add t 91.108.4.0/22\nadd t youtube.com\nadd t 91.108.8.0-91.108.11.255\nAS13335");
  await user.click(dialog.getByRole("button", { name: "Сохранить" }));
  await dialog.findByText("Строка 2: «youtube.com» — имя сайта: укажите его в источниках");
  dialog.getByText(/^Строка 4: «AS13335» — номер автономной системы/);
  expect(asked("POST /services")).toHaveLength(0);
  fireEvent.change(ipsOf(dialog), { target: { value: "add t 91.108.4.0/22\nadd t 91.108.0.0-91.108.3.255" } });
  dialog.getByText(/^2\sсети; вместе это 1\sсеть/);
  await user.click(dialog.getByRole("button", { name: "Сохранить" }));
  await screen.findByText("Видео: добавлено");
  expect(asked("POST /services")[0]?.body).toMatchObject({ typed: expect.stringContaining("91.108.0.0-91.108.3.255") });
});

test("a list too long for a phone is offered as the closest one that fits, with what else it would route; never the servers' own", async () => {
  const own = Array.from({ length: 118 }, (_, n) => `8.${n}.0.2`);
  const { user, asked } = await open({ "POST /services": video, "GET /admin/catalog/own-networks": own });
  await user.click(await screen.findByRole("button", { name: "Добавить сервис" }));
  const dialog = within(await screen.findByRole("dialog", { name: "Новый сервис" }));
  await user.type(dialog.getByLabelText("Название"), "Видео");
  const odd = Array.from({ length: 121 }, (_, n) => `8.${n}.0.1`);
  fireEvent.change(ipsOf(dialog), { target: { value: odd.join("\n") } });
  await dialog.findByRole("button", { name: /^Сжать под телефон: 120\sсетей/ });
  dialog.getByText(/ещё 131\s070\sчужих адресов, больше самого списка в 1084\sраза/);
  await user.click(dialog.getByLabelText("Компьютер"));
  expect(dialog.queryByRole("button", { name: /^Сжать/ }), "a computer takes them all").toBeNull();
  await user.click(dialog.getByLabelText("Телефон"));
  const fit = await dialog.findByRole("button", { name: /^Сжать/ });
  await user.click(fit);
  await waitFor(() => expect(fit.isConnected).toBe(false));
  await dialog.findByText(/^120\sсетей/);
  await user.click(dialog.getByRole("button", { name: "Сохранить" }));
  await screen.findByText("Видео: добавлено");
  const [sent] = asked("POST /services");
  expect((sent?.body as { typed: string } | undefined)?.typed.split(", ")).toEqual([
    ...odd.slice(0, 118).map((address) => `${address}/32`),
    "8.118.0.0/15",
    "8.120.0.1/32",
  ]);
});

test("a long list is read and covered off the main thread: the form stays usable meanwhile, and another text ends what runs", async () => {
  const begun: { work: Work; answer: () => void; isEnded: boolean }[] = [];
  vi.stubGlobal(
    "Worker",
    class {
      onmessage: ((event: { data: unknown }) => void) | null = null;
      #own: (typeof begun)[number] | undefined;
      postMessage(work: Work) {
        this.#own = { work, answer: () => this.onmessage?.({ data: doWork(work) }), isEnded: false };
        begun.push(this.#own);
      }
      terminate() {
        if (this.#own) this.#own.isEnded = true;
      }
    },
  );
  const { user, asked } = await open({ "POST /services": video, "GET /admin/catalog/own-networks": [] });
  await user.click(await screen.findByRole("button", { name: "Добавить сервис" }));
  const dialog = within(await screen.findByRole("dialog", { name: "Новый сервис" }));
  const typed = (count: number) =>
    fireEvent.change(ipsOf(dialog), {
      target: { value: Array.from({ length: count }, (_, n) => `8.${n >> 8}.${n & 255}.1`).join("\n") },
    });
  const works = async (count: number) => {
    await waitFor(() => expect(begun).toHaveLength(count));
    return begun.at(-1);
  };
  typed(900);
  const first = await works(1);
  expect(first?.work.name).toBe("read");
  typed(901);
  const second = await works(2);
  expect(first?.isEnded).toBe(true);
  await user.type(dialog.getByLabelText("Название"), "Видео");
  // What was counted of the empty field says nothing of this text.
  fireEvent.blur(ipsOf(dialog));
  expect(dialog.getByText("Список читается...")).toBeTruthy();
  expect(dialog.queryByText("Укажите хотя бы один адрес")).toBeNull();
  second?.answer();
  await dialog.findByText(/^901\sадрес/);
  const cover = await works(3);
  expect([cover?.work.name, dialog.queryByRole("button", { name: /^Сжать/ })]).toEqual(["cover", null]);
  cover?.answer();
  await user.click(await dialog.findByRole("button", { name: /^Сжать под телефон: 120\sсетей/ }));
  await user.click(dialog.getByRole("button", { name: "Сохранить" }));
  await waitFor(() => expect(asked("POST /services")).toHaveLength(1));
});

test("6,000 addresses are counted as networks once typing pauses; 14,000 are not sent, and the text stays", async () => {
  const { user, asked } = await open();
  await user.click(await screen.findByRole("button", { name: "Добавить сервис" }));
  const dialog = within(await screen.findByRole("dialog", { name: "Новый сервис" }));
  await user.type(dialog.getByLabelText("Название"), "Видео");
  const typed = (text: string) => fireEvent.change(ipsOf(dialog), { target: { value: text } });
  const lines = (count: number, of: (n: number) => string) => Array.from({ length: count }, (_, n) => of(n)).join("\n");
  typed(lines(6_000, (n) => `10.0.${n >> 8}.${n & 255}`));
  await dialog.findByText(/^6\s?000\sадресов; сохранится как 7\sсетей/);
  // A key in a long list reads nothing: the browser itself already has thousands of lines to lay out.
  typed(lines(6_001, (n) => `10.0.${n >> 8}.${n & 255}`));
  expect(dialog.getByText(/^6\s?000\sадресов/)).toBeTruthy();
  await dialog.findByText(/^6\s?001\sадрес/);
  const many = lines(14_000, (n) => `10.${n >> 8}.${n & 255}.1`);
  typed(many);
  await user.click(dialog.getByRole("button", { name: "Сохранить" }));
  await dialog.findByText(/Получилось 14\s?000\sсетей, а может быть не больше 5000/);
  expect((ipsOf(dialog) as HTMLTextAreaElement).value).toBe(many);
  expect(asked("POST /services")).toHaveLength(0);
});

test("a service can be everything but a list: it says how many networks that is, and sends the list and the choice", async () => {
  const { user, asked } = await open({
    "PUT /services/{id}": video,
    "GET /services/{id}/typed": typed("192.0.2.0/24 # home", true),
  });
  const dialog = await act(user, "Видео", "Изменить");
  expect(dialog.getByRole("radio", { name: "Всё, кроме них" })).toHaveProperty("checked", true);
  expect((ipsOf(dialog) as HTMLTextAreaElement).value).toBe("192.0.2.0/24 # home");
  dialog.getByText(/^1\sсеть; всё остальное — это 25\sсетей/);
  await waitFor(() => expect(asked("POST /services/{id}/effect").at(-1)?.body).toMatchObject({ ips: { length: 25 } }));
  await user.click(dialog.getByRole("radio", { name: "Эти адреса" }));
  expect(dialog.queryByText(/остальное/)).toBeNull();
  await user.click(dialog.getByRole("radio", { name: "Всё, кроме них" }));
  fireEvent.change(ipsOf(dialog), { target: { value: "0.0.0.0/0\n::/0" } });
  await user.click(dialog.getByRole("button", { name: "Сохранить" }));
  dialog.getByText("Кроме этих адресов ничего нет");
  expect(asked("PUT /services/{id}")).toHaveLength(0);
  fireEvent.change(ipsOf(dialog), { target: { value: "192.0.2.0/25 # home" } });
  await user.click(dialog.getByRole("button", { name: "Сохранить" }));
  await screen.findByText("Видео: сохранено");
  expect(asked("PUT /services/{id}")[0]?.body).toMatchObject({ typed: "192.0.2.0/25 # home", allBut: true });
});

test("networks that add up to the whole internet are called that", async () => {
  const { user } = await open();
  await user.click(await screen.findByRole("button", { name: "Добавить сервис" }));
  const dialog = within(await screen.findByRole("dialog", { name: "Новый сервис" }));
  await user.type(ipsOf(dialog), "0.0.0.0/1, 128.0.0.0/1");
  expect(dialog.getByText(/^Вместе это весь интернет: в файле будет 0\.0\.0\.0\/0/)).toBeTruthy();
});

test("deselecting the last device type selects all of them", async () => {
  const { user } = await open();
  const dialog = await act(user, "Видео", "Изменить");
  const checked = () => dialog.getAllByRole("checkbox").map((box) => (box as HTMLInputElement).checked);
  expect(checked()).toEqual([true, false, false]);
  await user.click(dialog.getByLabelText("Компьютер"));
  expect(checked()).toEqual([false, true, false]);
  await user.click(dialog.getByLabelText("Компьютер"));
  expect(checked()).toEqual([true, false, false]);
});

test("whom a change affects is shown before it is saved, as the panel counts it for just these addresses", async () => {
  const { user, asked } = await open({
    "POST /services/{id}/effect": { toDownload: 9, phonesOver: 3 },
    "PUT /services/{id}": video,
  });
  const dialog = await act(user, "Видео", "Изменить");
  expect(dialog.queryByText(/Файл устареет/)).toBeNull();
  await user.type(ipsOf(dialog), ", 8.8.8.8");
  await dialog.findByText(/Файл устареет на 9\sустройствах/);
  expect(dialog.getByText(/Больше 120 адресов станет в 3\sтелефонных конфигах/)).toBeTruthy();
  expect(asked("POST /services/{id}/effect").at(-1)?.body).toEqual({ ips: [...video.ips, "8.8.8.8"] });
  expect(asked("PUT /services/{id}")).toHaveLength(0);
  await user.click(dialog.getByRole("button", { name: "Сохранить" }));
  await screen.findByText("Видео: сохранено");
  expect(asked("PUT /services/{id}")[0]?.body).toEqual({
    typed: [...video.ips, "8.8.8.8"].join(", "),
    deviceTypes: ["all"],
    expected: { name: "Видео", typed: typed(video.ips.join(", ")).mark, deviceTypes: ["all"] },
  });
});

test("a taken name is reported at its field; saving over a colleague's change is reported too", async () => {
  const { user, say } = await open({
    "PUT /dns/{id}": refused(409, "dns.name_taken", "Запись DNS с таким названием уже есть."),
  });
  const dialog = await act(user, "Cloudflare", "Изменить");
  await user.type(dialog.getByLabelText("Название"), " 2");
  await user.click(dialog.getByRole("button", { name: "Сохранить" }));
  const said = await dialog.findByText("Запись DNS с таким названием уже есть.");
  expect(dialog.getByLabelText("Название").getAttribute("aria-describedby")).toContain(said.id);
  say({
    "PUT /dns/{id}": refused(409, "dns.changed_meanwhile", "изменили", { fields: ["name"] }),
    "GET /dns": [{ ...cloudflare, name: "Чужое" }],
  });
  await user.click(dialog.getByRole("button", { name: "Сохранить" }));
  await dialog.findByText("Пока вы редактировали, запись изменил другой сотрудник");
  await dialog.findByText("Сейчас: Чужое, 1.1.1.1, 1.0.0.1");
  expect((dialog.getByLabelText("Название") as HTMLInputElement).value).toBe("Cloudflare 2");
});

test("a network is not accepted as a resolver", async () => {
  const { user } = await open();
  await user.click(await screen.findByRole("button", { name: "Добавить DNS" }));
  const dialog = within(await screen.findByRole("dialog", { name: "Новая запись DNS" }));
  await user.type(dialog.getByLabelText("IP-адреса через запятую"), "8.8.8.0/24");
  await user.tab();
  await dialog.findByText("«8.8.8.0/24» — не IP-адрес");
});

test("an entry in use is not deleted, and the dialog says by how many configs; an unused one is deleted after a question", async () => {
  const { user, asked, say } = await open({
    "DELETE /services/{id}": refused(409, "service.in_use", "", { count: 4 }),
    "DELETE /dns/{id}": undefined,
  });
  const used = await act(user, "Видео", "Удалить");
  await used.findByText(/12\sконфигов/);
  await user.click(used.getByRole("button", { name: "Понятно" }));
  expect(asked("DELETE /services/{id}")).toHaveLength(0);

  const late = await act(user, "Большой", "Удалить");
  await user.click(late.getByRole("button", { name: "Удалить" }));
  await screen.findByText(/4\sконфига/);
  await user.click(screen.getByRole("button", { name: "Понятно" }));

  const free = await act(user, "Cloudflare", "Удалить");
  await user.click(free.getByRole("button", { name: "Удалить" }));
  await screen.findByText("Cloudflare: удалено");
  say({});
});

test("a moderator can read, and change nothing", async () => {
  await open({}, moderator);
  await screen.findByText("Видео");
  expect(screen.getByText("Только просмотр")).toBeTruthy();
  expect(screen.queryByRole("button", { name: /Добавить|Действия/ })).toBeNull();
});

test("a service's picture, sentence and group are edited; two letters are not a picture; only what changed is sent", async () => {
  const { user, asked } = await open({ "PUT /services/{id}": video });
  const dialog = await act(user, "Видео", "Изменить");
  await user.type(await dialog.findByLabelText("Картинка"), "YT");
  await user.type(dialog.getByLabelText("Пояснение для участников"), "Ролики ");
  await user.selectOptions(dialog.getByLabelText("Группа"), "Видео");
  await user.click(dialog.getByRole("button", { name: "Сохранить" }));
  await dialog.findByText("Нужен один эмодзи, одна буква или цифра");
  await user.clear(dialog.getByLabelText("Картинка"));
  await user.click(dialog.getByRole("button", { name: "Сохранить" }));
  await screen.findByText("Видео: сохранено");
  const { body } = asked("PUT /services/{id}")[0] ?? {};
  expect(body).toMatchObject({ description: "Ролики", group: "video", expected: { description: "", group: "other" } });
  expect(body).not.toHaveProperty("picture");
});

test("services of the catalogue are added with their sources, one by one; one that fails stays with its reason", async () => {
  const there = { ...video, name: "Telegram" };
  const { user, asked } = await open({
    "GET /services": [there],
    "POST /services": ({ body }) =>
      (body as { name: string }).name === "Zoom" ? refused(400, "source.failed", "не получилось") : video,
  });
  await user.click(await screen.findByRole("button", { name: "Добавить из каталога" }));
  const dialog = within(await screen.findByRole("dialog", { name: "Добавить из каталога" }));
  expect(dialog.getByRole<HTMLInputElement>("checkbox", { name: /Telegram Уже есть/ }).disabled).toBe(true);
  expect(asked("POST /services"), "nothing before the press").toHaveLength(0);
  await user.click(dialog.getByRole("checkbox", { name: /GitHub/ }));
  await user.click(dialog.getByRole("checkbox", { name: /Zoom/ }));
  await user.click(dialog.getByRole("button", { name: /^Добавить: 2\sсервиса/ }));
  await dialog.findByText(/Не добавлен/);
  expect(asked("POST /services").map(({ body }) => body)).toMatchObject([
    { name: "GitHub", sources: ["https://api.github.com/meta"], group: "work" },
    { name: "Zoom" },
  ]);
  expect(dialog.getByRole<HTMLInputElement>("checkbox", { name: /Zoom/ }).checked).toBe(true);
  expect(dialog.getByRole<HTMLInputElement>("checkbox", { name: /GitHub/ }).checked).toBe(false);
});

test("a ticket's link opens the editor with the name that the member asked for, and the ticket goes along", async () => {
  const page = await enter(
    `/admin/wireguard?add=service&set=Кинозал&ticket=${uuid(900)}`,
    {
      "GET /services": [video],
      "GET /dns": [cloudflare],
      "GET /admin/catalog/usage": { services: [], dns: [] },
      "POST /services": video,
    },
    admin,
  );
  const dialog = within(await screen.findByRole("dialog", { name: "Новый сервис" }));
  expect(dialog.getByLabelText<HTMLInputElement>("Название").value).toBe("Кинозал");
  await page.user.type(ipsOf(dialog), "192.0.2.1");
  await page.user.click(dialog.getByRole("button", { name: "Сохранить" }));
  await screen.findByText("Видео: добавлено");
  expect(page.asked("POST /services")[0]?.body).toMatchObject({ name: "Кинозал", ticketId: uuid(900) });
  expect(page.address()).toBe("/admin/wireguard");
});
