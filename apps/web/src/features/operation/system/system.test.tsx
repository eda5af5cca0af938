import { whyOf } from "@krug/contract/reasons";
import { reason } from "@krug/domain/reasons";
import { act, cleanup, renderHook, screen, waitFor, within } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { clubSettings } from "../../../testing/club-settings.ts";
import { screens } from "../../../testing/open-page.tsx";
import { type Panel, refused } from "../../../testing/panel.ts";
import { systemState } from "../../../testing/servers.ts";
import { expectNothingWellInSilence } from "../../../testing/silent-panel.ts";
import { enter, moderator, typeCode } from "../../../testing/staff.ts";
import type { BotState, GateSettings } from "./queries.ts";
import { settingsOf } from "./setting-labels.ts";
import { partIn } from "./use-part.ts";
import { useWipe } from "./use-wipe.ts";
import { system as systemRu } from "./words-ru.ts";

screens();
afterEach(() => void vi.useRealTimers());

const state = systemState();
const club = clubSettings();
const gate: GateSettings = {
  enabled: true,
  blockedCountries: ["UA", "NL"],
  exceptions: [],
  supportContact: null,
  mirrorUrl: null,
  countriesBuiltAt: null,
  hostingListOf: null,
  untrustedForwardingSince: null,
  unreadableForwardingSince: null,
};
const bot: BotState = {
  enabled: false,
  reason: "no_token",
  reasonSince: null,
  botName: null,
  required: true,
  requiredNow: false,
  staffActs: true,
  connectedMembers: 0,
};
const sent = { waiting: 0, failed: 0, reason: null, why: null };
const outbox = { telegram: sent, push: sent };
/** What is at the top of each part besides the first. */
const FIRST_PANELS: Record<string, string> = {
  club: "Настройки клуба",
  access: "Проверка при входе",
  data: "Резервная копия",
};
const system = async (says: Panel = {}, asked = "", part = new URLSearchParams(asked).get("section") ?? "state") => {
  const page = await enter(`/admin/system${asked}`, {
    "GET /admin/system": state,
    "GET /admin/settings": club,
    "GET /admin/security": gate,
    "GET /admin/telegram": bot,
    "GET /admin/outbox": outbox,
    "GET /admin/templates": [],
    "POST /admin/system/wipe-simulation": undefined,
    ...says,
  });
  await screen.findByRole("region", { name: FIRST_PANELS[part] ?? "Состояние" });
  return page;
};
const region = (name: string) => within(screen.getByRole("region", { name }));

const part = (name: string) => screen.getByRole("radio", { name }) as HTMLInputElement;

test.each([
  ["graceHours", "Отсрочка после конца подписки, часов", "club"],
  ["quietFrom", "Тихие часы: с какого часа", "club"],
  ["supportContact", "Как связаться с поддержкой", "access"],
  ["mirrorUrl", "Зеркало портала", "access"],
])(
  "a link to the setting %s leads to its field in its part, and only the part stays in the address",
  async (set, label, section) => {
    const { address } = await system({}, `?set=${set}`, section);
    await waitFor(() => expect(document.activeElement).toBe(screen.getByLabelText(label)));
    await waitFor(() => expect(address()).toBe(`/admin/system?section=${section}`));
  },
);

test("a link to maintenance opens the confirmation", async () => {
  const { address } = await system({}, "?set=maintenance");
  await screen.findByRole("dialog", { name: "Включить технические работы?" });
  await waitFor(() => expect(address()).toBe("/admin/system"));
});

test("each setting and dialog that a link names is in the part which the link opens", () => {
  const named = settingsOf(systemRu).flatMap(({ place, set }) => (place === "system" ? [partIn({ set })] : []));
  expect(new Set(named)).toEqual(new Set(["club", "access"]));
  expect([
    partIn({ add: "backup" }),
    partIn({ set: "maintenance" }),
    partIn({ section: "nothing" }),
    partIn({}),
  ]).toEqual(["data", "state", "state", "state"]);
});

test("the screen has four parts, each with its address, which a reload keeps", async () => {
  const page = await system();
  const regions = () =>
    screen.getAllByRole("region").map((each) => within(each).getByRole("heading", { level: 2 }).textContent);
  expect(part("Состояние").checked).toBe(true);
  expect(regions()).toEqual(["Состояние", "Технические работы"]);
  for (const [name, section, panels] of [
    ["Клуб", "club", ["Настройки клуба", "Шаблоны для новых участников"]],
    ["Доступ", "access", ["Проверка при входе", "Telegram"]],
    ["Данные", "data", ["Резервная копия", "Удаление всех данных"]],
  ] as const) {
    await page.user.click(part(name));
    await waitFor(() => expect(page.address()).toBe(`/admin/system?section=${section}`));
    expect(regions()).toEqual(panels);
  }
  cleanup();
  await system({}, "?section=data");
  expect([part("Данные").checked, regions()]).toEqual([true, ["Резервная копия", "Удаление всех данных"]]);
});

test("what is wrong stands first, and every part shows that something is", async () => {
  const since = new Date(Date.now() - 3_600_000).toISOString();
  const place = { kind: "folder" as const, address: "/srv/backups" };
  const riga = {
    id: "s",
    name: "Рига",
    isMain: true,
    status: "connected" as const,
    reason: null,
    why: null,
    unreachableSince: null,
    heldInterfaces: [],
    reconciledAt: since,
  };
  await system({
    "GET /maintenance": { enabled: true, since },
    "GET /admin/telegram": { ...bot, reason: "conflict", reasonSince: since },
    "GET /admin/outbox": { ...outbox, push: { ...sent, failed: 2 } },
    "GET /admin/system": systemState({
      servers: [riga, { ...riga, id: "t", name: "Вена", status: "error", unreachableSince: since }],
      backups: {
        place,
        everyHours: 24,
        lastGoodAt: since,
        lastGoodPlace: place,
        lastTriedAt: since,
        size: 1_048_576,
        problem: null,
        why: null,
        isLate: true,
      },
    }),
  });
  const names = () =>
    region("Состояние")
      .getAllByRole("term")
      .map(({ textContent }) => textContent);
  await waitFor(() =>
    expect(names().slice(0, 5)).toEqual([
      "Резервная копия",
      "Вена",
      "Бот Telegram",
      "Технические работы",
      "Уведомления",
    ]),
  );
  const doors = region("Состояние")
    .getAllByRole("link")
    .map((link) => link.getAttribute("href"));
  expect(doors).toEqual(["/admin/system?section=data", "/admin/system?set=maintenance"]);
  cleanup();
  await system({ "GET /admin/system": { ...state, clockDoubtedSince: since } }, "?section=club");
  expect(await screen.findByRole("radio", { name: /^Состояние, требует.внимания$/ })).toBeTruthy();
});

test("what is below a panel that is still loading appears once that has its height", async () => {
  let answer: (value: typeof club) => void = () => undefined;
  const settings = new Promise<typeof club>((resolve) => (answer = resolve));
  const { asked } = await system({ "GET /admin/settings": () => settings }, "?section=club");
  await waitFor(() => expect(asked("GET /admin/templates").length).toBeGreaterThan(0));
  expect(screen.queryByRole("button", { name: "Добавить шаблон" })).toBeNull();
  answer(club);
  await screen.findByRole("button", { name: "Добавить шаблон" });
});

test("a part of the state that cannot be read says so", async () => {
  await system({ "GET /admin/outbox": refused(500, "internal", "") });
  expect(await region("Состояние").findByText("Не получилось узнать, как уходят уведомления")).toBeTruthy();
});

test("a moderator has no such section", async () => {
  const { address } = await enter("/admin/system", {}, moderator);
  await waitFor(() => expect(address()).toBe("/admin/users"));
  expect(screen.queryByRole("link", { name: "Управление системой" })).toBeNull();
});

test("a clock that jumped ahead is reported with the moment before", async () => {
  await system({ "GET /admin/system": { ...state, clockDoubtedSince: "2026-11-20T09:00:00.000Z" } });
  expect(await screen.findByText(/часы ушли вперёд: до этого было 20/)).toBeTruthy();
});

test("a slow disk is reported with how long changes wait for it", async () => {
  await system({ "GET /admin/system": { ...state, database: { ...state.database, slowMs: 1_460 } } });
  expect(await screen.findByText(/медленный диск: изменения ждут записи до 1,5 с/)).toBeTruthy();
});

test("it shows the versions, the database, and what does not work and since when", async () => {
  const since = new Date(Date.now() - 3_600_000).toISOString();
  await system({
    "GET /admin/system": {
      ...state,
      database: { ...state.database, trouble: "full" },
      jobs: {
        waiting: 5,
        failing: 2,
        failed: 1,
        oldestDueAt: since,
        troubled: [{ kind: "configs.apply", count: 3, lastError: "", why: whyOf(reason("server.no_answer")) }],
      },
      servers: [
        {
          id: "s",
          name: "Рига",
          isMain: true,
          status: "error",
          reason: "",
          why: whyOf(reason("ssh.silent", {}, "no route")),
          unreachableSince: since,
          heldInterfaces: [],
          reconciledAt: null,
        },
        {
          id: "t",
          name: "Вена",
          isMain: false,
          status: "silent",
          reason: null,
          why: null,
          unreachableSince: null,
          heldInterfaces: [
            {
              id: "i",
              name: "Interface 1",
              interfaceName: "wg0",
              reason: "",
              why: whyOf(reason("interface.port_busy", { port: 51_820, holder: "nginx" })),
            },
          ],
          reconciledAt: since,
        },
      ],
    },
  });
  const facts = region("Состояние");
  expect(facts.getByText(/PostgreSQL, 1,0/)).toBeTruthy();
  expect(facts.getByText(/на диске не осталось места/)).toBeTruthy();
  expect(facts.getByText(/5\sзаданий в очереди/)).toBeTruthy();
  expect(facts.getByText(/configs\.apply: 3/).textContent).toContain("сервер не ответил вовремя");
  expect(facts.getByText(/не отвечает: час назад/)).toBeTruthy();
  expect(facts.getByText("машина не отвечает")).toBeTruthy();
  expect(facts.getByText("no route").tagName).toBe("Q");
  expect(facts.getByText("давно нет вестей")).toBeTruthy();
  expect(facts.getByText(/Interface 1 \(wg0\) не поднят/).textContent).toContain("порт UDP 51820 занят: nginx");
  expect(facts.getByText(/сверено час назад/)).toBeTruthy();
  expect(facts.getByText(/не задан TELEGRAM_BOT_TOKEN/)).toBeTruthy();
});

test("it shows how the panel's host runs tunnels, what it lacks, or why it runs none", async () => {
  const blocked = { code: "forwarding_blocked", detail: "", why: whyOf(reason("lack.forwarding")) };
  await system({
    "GET /admin/system": systemState({
      local: { backend: "userspace", reason: null, why: null, problems: [blocked], install: null },
    }),
  });
  expect(region("Состояние").getByText(/^Встроенный движок.*модуль ядра wireguard$/)).toBeTruthy();
  expect(region("Состояние").getByText(whyOf(reason("lack.forwarding")).ru)).toBeTruthy();
  cleanup();
  await system({
    "GET /admin/system": systemState({
      local: { backend: null, reason: "", why: whyOf(reason("lack.tun")), problems: [], install: null },
    }),
  });
  expect(region("Состояние").getByText("туннелей на ней нет")).toBeTruthy();
  expect(region("Состояние").getByText(whyOf(reason("lack.tun")).ru)).toBeTruthy();
});

test("if only the engine carries tunnels, it says what a faster kind needs, packages as one line to copy", async () => {
  const install = "apt-get install -y wireguard-tools nftables iproute2";
  const { user } = await system({
    "GET /admin/system": systemState({
      local: {
        backend: "netstack",
        reason: null,
        why: null,
        problems: [
          { code: "not_root", detail: "", why: whyOf(reason("lack.not_root")) },
          {
            code: "no_programs",
            detail: "",
            why: whyOf(reason("lack.programs", { programs: "wg", count: 1, install })),
          },
        ],
        install,
      },
    }),
  });
  const facts = region("Состояние");
  expect(facts.getByText(/^Встроенный движок без прав на сеть: работает сразу, медленнее; быстрее:/)).toBeTruthy();
  expect(facts.getByText(/от root/)).toBeTruthy();
  expect(facts.getByText(/Файлы участников при этом не меняются/)).toBeTruthy();
  // The packages are named once.
  expect(facts.getAllByText("apt-get").map((each) => each.closest("code")?.textContent?.trim())).toEqual([install]);
  await user.click(facts.getByRole("button", { name: "Скопировать" }));
  expect(await navigator.clipboard.readText()).toBe(install);
});

test("maintenance takes a code, is mirrored in local storage, and a wrong code changes nothing", async () => {
  const { user, asked, say } = await system({
    "PUT /admin/maintenance": refused(400, "two_factor.wrong_code", "Неверный код подтверждения"),
  });
  await user.click(region("Технические работы").getByRole("button", { name: "Включить" }));
  await screen.findByText(/второй.раз.не.подойдёт/);
  await typeCode(user, "111111");
  await screen.findByText("Неверный код подтверждения");
  expect(localStorage.getItem("maintenanceMode")).toBeNull();
  say({ "PUT /admin/maintenance": { enabled: true, since: new Date().toISOString() } });
  await typeCode(user, "222222");
  await waitFor(() => expect(localStorage.getItem("maintenanceMode")).toBe("true"));
  expect(asked("PUT /admin/maintenance").map(({ body }) => body)).toEqual([
    { enabled: true, token: "111111" },
    { enabled: true, token: "222222" },
  ]);
  expect(await region("Технические работы").findByText("Идут")).toBeTruthy();
  say({ "PUT /admin/maintenance": { enabled: false, since: null } });
  await user.click(region("Технические работы").getByRole("button", { name: "Выключить" }));
  await typeCode(user, "333333");
  await waitFor(() => expect(localStorage.getItem("maintenanceMode")).toBeNull());
});

test("it links to the price, which is set with the payments", async () => {
  await system({}, "?section=club");
  const price = await screen.findByRole("link", { name: "Цена и реквизиты" });
  expect(price.getAttribute("href")).toBe("/admin/payments?set=price");
});

test("only changes are sent, with what was seen of them", async () => {
  const { user, asked } = await system(
    {
      "PUT /admin/settings": { ...club, graceHours: 12, moderatorMayInvites: true },
    },
    "?section=club",
  );
  expect(screen.queryByRole("button", { name: "Сохранить" })).toBeNull();
  const grace = screen.getByLabelText("Отсрочка после конца подписки, часов");
  await user.clear(grace);
  await user.type(grace, "12");
  await user.click(screen.getByLabelText("Создавать инвайт-коды"));
  await user.click(screen.getByRole("button", { name: "Сохранить" }));
  await screen.findByText("Настройки сохранены");
  expect(asked("PUT /admin/settings")[0]?.body).toEqual({
    graceHours: 12,
    moderatorMayInvites: true,
    expected: { graceHours: 0, moderatorMayInvites: false },
  });
  expect(screen.queryByRole("button", { name: "Сохранить" })).toBeNull();
});

test("a wrong number is reported at its field and is not sent; no limit is -1", async () => {
  const { user, asked } = await system(
    { "PUT /admin/settings": { ...club, newMemberConfigLimit: -1 } },
    "?section=club",
  );
  const codes = screen.getByLabelText("Кодов для друзей в месяц");
  await user.clear(codes);
  await user.type(codes, "9999");
  await user.type(screen.getByLabelText("Отключать устройства, которых не было, дней"), "7");
  await user.click(screen.getByRole("button", { name: "Сохранить" }));
  expect(await screen.findByText("Целое число от 0 до 1000")).toBeTruthy();
  expect(await screen.findByText(/^0 или целое число от 30 до 3650$/)).toBeTruthy();
  expect(asked("PUT /admin/settings")).toHaveLength(0);
  await user.click(screen.getByRole("button", { name: "Вернуть" }));
  await user.click(screen.getByLabelText("Без ограничения"));
  await user.click(screen.getByRole("button", { name: "Сохранить" }));
  await waitFor(() => expect(asked("PUT /admin/settings")[0]?.body).toMatchObject({ newMemberConfigLimit: -1 }));
});

test("the new members' quota is set in gigabytes, with what happens at its end; a wrong amount is not sent", async () => {
  const { user, asked } = await system({ "PUT /admin/settings": club }, "?section=club");
  await user.click(screen.getByLabelText("Трафик не ограничен"));
  const typed = screen.getByLabelText("Трафик нового участника в месяц, ГБ");
  await user.click(screen.getByRole("button", { name: "Сохранить" }));
  await screen.findByText("Укажите число от 0,01 до 1 048 576, не больше двух знаков после запятой");
  expect(asked("PUT /admin/settings")).toEqual([]);
  await user.type(typed, "1,5");
  await user.click(screen.getByRole("radio", { name: "Замедлить" }));
  const speed = screen.getByLabelText("Скорость нового участника после этого, Мбит/с");
  await user.clear(speed);
  await user.type(speed, "8");
  await user.click(screen.getByRole("button", { name: "Сохранить" }));
  await waitFor(() =>
    expect(asked("PUT /admin/settings").map(({ body }) => body)).toEqual([
      {
        newMemberQuotaBytes: 1.5 * 1024 ** 3,
        newMemberQuotaAtEnd: "slow",
        newMemberQuotaSlowMbit: 8,
        expected: { newMemberQuotaBytes: null, newMemberQuotaAtEnd: "cut", newMemberQuotaSlowMbit: 5 },
      },
    ]),
  );
});

test("somebody else's change is shown next to what was typed, and saving again replaces it knowingly", async () => {
  const { user, asked, say } = await system(
    {
      "PUT /admin/settings": refused(409, "settings.changed_meanwhile", "Пока вы редактировали, настройки изменились."),
    },
    "?section=club",
  );
  const grace = screen.getByLabelText("Отсрочка после конца подписки, часов");
  await user.clear(grace);
  await user.type(grace, "12");
  say({ "GET /admin/settings": { ...club, graceHours: 24, ownCodesPerMonth: 5 } });
  await user.click(screen.getByRole("button", { name: "Сохранить" }));
  await screen.findByText(/Отсрочка после конца подписки, часов: теперь 24/);
  expect((grace as HTMLInputElement).value).toBe("12");
  expect((screen.getByLabelText("Кодов для друзей в месяц") as HTMLInputElement).value).toBe("5");
  say({ "PUT /admin/settings": { ...club, graceHours: 12, ownCodesPerMonth: 5 } });
  await user.click(screen.getByRole("button", { name: "Сохранить" }));
  await screen.findByText("Настройки сохранены");
  expect(asked("PUT /admin/settings")[1]?.body).toEqual({ graceHours: 12, expected: { graceHours: 24 } });
});

test("a setting from the environment is shown with the variable's name and cannot be changed", async () => {
  await system(
    {
      "GET /admin/settings": { ...club, clubTimeZone: "Asia/Tokyo", fixedBy: { clubTimeZone: "CLUB_TIME_ZONE" } },
    },
    "?section=club",
  );
  const zone = screen.getByLabelText("Часовой пояс клуба") as HTMLSelectElement;
  expect([zone.value, zone.disabled]).toEqual(["Asia/Tokyo", true]);
  expect(screen.getByText(/Задано переменной CLUB_TIME_ZONE/)).toBeTruthy();
});

test("the gate's lists are sent as lists; a country that does not exist is reported before sending", async () => {
  const { user, asked } = await system(
    { "PUT /admin/security": { ...gate, blockedCountries: ["UA", "NL", "KZ"] } },
    "?section=access",
  );
  expect(screen.getByText("Украина, Нидерланды")).toBeTruthy();
  const countries = screen.getByLabelText("Закрытые страны");
  await user.type(countries, ", qq");
  await user.click(screen.getByRole("button", { name: "Сохранить" }));
  await screen.findByText("Нет такой страны: qq");
  await user.type(countries, "{Backspace}{Backspace}kz");
  await user.click(screen.getByRole("button", { name: "Сохранить" }));
  await waitFor(() =>
    expect(asked("PUT /admin/security")[0]?.body).toEqual({
      blockedCountries: ["UA", "NL", "KZ"],
      expected: { blockedCountries: ["UA", "NL"] },
    }),
  );
});

test("the gate's exceptions may be separated in any usual way; a wrong address is named and nothing is sent", async () => {
  const { user, asked } = await system({ "PUT /admin/security": gate }, "?section=access");
  const field = screen.getByLabelText("Адреса без проверки");
  const save = () => user.click(screen.getByRole("button", { name: "Сохранить" }));
  await user.click(field);
  await user.paste("# office\n198.51.100.0-198.51.100.127\n192.0.2.0 255.255.255.0 # home\nclub.example");
  await save();
  await screen.findByText("Не адрес и не сеть: club.example");
  expect(asked("PUT /admin/security")).toEqual([]);
  await user.type(field, "{Backspace>12/}");
  await save();
  await waitFor(() =>
    expect(asked("PUT /admin/security")[0]?.body).toMatchObject({ exceptions: ["198.51.100.0/25", "192.0.2.0/24"] }),
  );
});

test("without a bot nothing can be required, and the page says why", async () => {
  await system({}, "?section=access");
  const box = screen.getByLabelText("Требовать привязанный Telegram для новых конфигов") as HTMLInputElement;
  expect([box.disabled, box.checked]).toEqual([true, false]);
  expect(screen.getByText(/Сначала задайте TELEGRAM_BOT_TOKEN/)).toBeTruthy();
});

test("with one the requirement is switched at once", async () => {
  const works: BotState = { ...bot, enabled: true, reason: null, botName: "club_bot", requiredNow: true };
  const { user, asked } = await system(
    {
      "GET /admin/telegram": works,
      "PUT /admin/telegram": { ...works, required: false, requiredNow: false },
    },
    "?section=access",
  );
  await user.click(screen.getByLabelText("Требовать привязанный Telegram для новых конфигов"));
  await screen.findByText("Telegram больше не нужен");
  expect(asked("PUT /admin/telegram")[0]?.body).toEqual({ required: false });
});

const STEPS: [string, number][] = [
  ["Подключение к базе данных", 2000],
  ["Создание резервной копии", 3000],
  ["Удаление данных пользователей", 2500],
  ["Удаление конфигураций VPN", 2000],
  ["Очистка кэша", 1500],
  ["Удаление системных настроек", 2000],
  ["Отключение серверов", 2500],
  ["Проверка целостности", 2000],
  ["Завершение", 1500],
];

async function startWipe() {
  const page = await system({}, "?section=data");
  await page.user.click(screen.getByRole("button", { name: "Удалить всё" }));
  const dialog = within(await screen.findByRole("dialog", { name: "Удалить всё?" }));
  for (const thing of [
    "данные пользователей",
    "конфигурации VPN",
    "настройки серверов",
    "системные настройки",
    "история операций",
  ])
    expect(dialog.getByText(thing)).toBeTruthy();
  expect(page.asked("POST /admin/system/wipe-simulation")).toHaveLength(0);
  const before = page.heard.length;
  await page.user.click(dialog.getByRole("button", { name: "Удалить всё" }));
  await screen.findByRole("dialog", { name: "Удаление данных" });
  return {
    ...page,
    sent: () => page.heard.slice(before).filter(({ headers }) => headers.get("x-background") === null),
  };
}

test("'Delete everything' takes its nine steps in their times, ends in the critical error, and resets after 5 s", () => {
  vi.useFakeTimers();
  const onReset = vi.fn();
  const { result } = renderHook(() => useWipe(onReset));
  const after = (ms: number) => act(() => vi.advanceTimersByTime(ms));
  for (const [place, [name, ms]] of STEPS.entries()) {
    expect([name, result.current]).toEqual([name, place]);
    after(ms - 1);
    expect([name, result.current]).toEqual([name, place]);
    after(1);
  }
  expect(result.current).toBe(9);
  after(4_999);
  expect(onReset).not.toHaveBeenCalled();
  after(1);
  expect(onReset).toHaveBeenCalledTimes(1);
});

test("each step is announced, then the error as an alert; the panel gets one request", async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true, toFake: ["setTimeout", "clearTimeout"] });
  const { sent } = await startWipe();
  for (const [place, [name, ms]] of STEPS.entries()) {
    expect((await screen.findByText(`Шаг ${place + 1} из 9: ${name}`)).getAttribute("role")).toBe("status");
    expect(screen.getByRole("progressbar").getAttribute("aria-valuenow")).toBe(String(place));
    await act(async () => vi.advanceTimersByTimeAsync(ms));
  }
  const error = await screen.findByText("Критическая ошибка: системные файлы удалить нельзя. Операция отменена.");
  expect(error.closest("[role=alert]")).toBeTruthy();
  await act(async () => vi.advanceTimersByTimeAsync(5_000));
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  expect(sent().map(({ key }) => key)).toEqual(["POST /admin/system/wipe-simulation"]);
});

test("closing it midway stops it, and the next one starts over", async () => {
  const { user } = await startWipe();
  await user.click(screen.getByRole("button", { name: "Остановить" }));
  await screen.findByText("Операция остановлена, ничего не удалено");
  expect(screen.queryByRole("dialog")).toBeNull();
  await user.click(screen.getByRole("button", { name: "Удалить всё" }));
  expect(await screen.findByRole("dialog", { name: "Удалить всё?" })).toBeTruthy();
});

test("a backup takes a long passphrase twice and a code; a wrong code gives no file, and the passphrase stays", async () => {
  const saved: string[] = [];
  vi.spyOn(HTMLAnchorElement.prototype, "click").mockImplementation(function (this: HTMLAnchorElement) {
    saved.push(this.download);
  });
  const { asked, say, user } = await system(
    {
      "POST /admin/backup": refused(400, "two_factor.wrong_code", "Неверный код подтверждения"),
    },
    "?section=data",
  );
  await user.click(region("Резервная копия").getByRole("button", { name: "Скачать копию" }));
  const dialog = within(await screen.findByRole("dialog", { name: "Скачать резервную копию?" }));
  await waitFor(() => expect(document.activeElement).toBe(dialog.getByLabelText("Парольная фраза")));
  expect(dialog.getByText("Код из приложения-аутентификатора"), "what the boxes are for is seen").toBeTruthy();
  await user.type(dialog.getByLabelText("Парольная фраза"), "короткая");
  await typeCode(user, "111111");
  expect(await dialog.findByText(/Нужно не меньше 16\sсимволов/)).toBeTruthy();
  await user.type(dialog.getByLabelText("Парольная фраза"), " и ещё три слова");
  expect(await dialog.findByText("Фразы не совпадают")).toBeTruthy();
  expect(asked("POST /admin/backup")).toEqual([]);
  await user.type(dialog.getByLabelText("Парольная фраза ещё раз"), "короткая и ещё три слова");
  await user.click(dialog.getByRole("button", { name: "Скачать" }));
  expect(await dialog.findByText("Неверный код подтверждения")).toBeTruthy();
  expect(saved).toEqual([]);
  say({ "POST /admin/backup": { fileName: null, content: "age-encryption.org/v1" } });
  await typeCode(user, "222222");
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  expect(asked("POST /admin/backup").map(({ body }) => body)).toEqual([
    { passphrase: "короткая и ещё три слова", token: "111111" },
    { passphrase: "короткая и ещё три слова", token: "222222" },
  ]);
  expect(saved).toEqual([expect.stringMatching(/^krug-\d{4}-\d\d-\d\d\.age$/)]);
});

test("scheduled backups show how old the last good one is, and what prevents the next", async () => {
  const good = new Date(Date.now() - 3_600_000).toISOString();
  const place = { kind: "sftp" as const, address: "club@backup.example:/krug" };
  const backups = {
    place,
    everyHours: 24,
    lastGoodAt: good,
    lastGoodPlace: place,
    lastTriedAt: good,
    size: 1_048_576,
    problem: null,
    why: null,
    isLate: false,
  };
  await system({ "GET /admin/system": systemState({ backups }) }, "?section=data");
  const panel = region("Резервная копия");
  expect(panel.getByText(/Последняя: час назад, 1,0/)).toBeTruthy();
  expect(panel.getByText(/Раз в\s24\sч/)).toBeTruthy();
  expect(panel.getByText("Место: SFTP club@backup.example:/krug")).toBeTruthy();
  expect(panel.queryByText(/прежнем месте/)).toBeNull();
  cleanup();
  const lastGoodPlace = { kind: "folder" as const, address: "/srv/backups" };
  await system({ "GET /admin/system": systemState({ backups: { ...backups, lastGoodPlace } }) }, "?section=data");
  expect(region("Резервная копия").getByText("Последняя лежит в прежнем месте: папка /srv/backups")).toBeTruthy();
  cleanup();
  await system(
    {
      "GET /admin/system": systemState({
        backups: { ...backups, problem: "", why: whyOf(reason("storage.refused", {}, "AccessDenied")) },
      }),
    },
    "?section=data",
  );
  expect(region("Резервная копия").getByText("хранилище отказало")).toBeTruthy();
  expect(region("Резервная копия").getByText("AccessDenied")).toBeTruthy();
  cleanup();
  await system({}, "?section=data");
  expect(region("Резервная копия").getByText(/По расписанию копий нет/)).toBeTruthy();
});

test("while the panel is silent, no part of the system is shown as working", async () => {
  await system();
  await screen.findByText("очередь пуста");
  await expectNothingWellInSilence();
});
