import { whyOf } from "@krug/contract/reasons";
import { reason } from "@krug/domain/reasons";
import { screen, waitFor, within } from "@testing-library/react";
import { beforeEach, expect, test, vi } from "vitest";
import { screens } from "../../../testing/open-page.tsx";
import { type Panel, refused } from "../../../testing/panel.ts";
import { uuid } from "../../../testing/samples.ts";
import { rented } from "../../../testing/servers.ts";
import { enter } from "../../../testing/staff.ts";
import { Stream } from "../../../testing/stream.ts";
import type { Setup, SetupStep, StepState } from "./use-setup.ts";

screens();
beforeEach(() => {
  Stream.all = [];
  vi.stubGlobal("EventSource", Stream);
});

const AT = "2026-11-22T10:00:00.000Z";
const LATER = "2026-11-22T10:05:00.000Z";
const state = (about: Partial<Record<SetupStep, Partial<StepState>>> = {}, isSetupComplete = false): Setup => ({
  isSetupComplete,
  tunnelsIn: "docker",
  whySystem: null,
  steps: (["docker", "wireguard", "configure"] as const).map((step) => ({
    step,
    state: "pending",
    failure: null,
    detail: null,
    why: null,
    startedAt: null,
    endedAt: null,
    ...about[step],
  })),
});
const done = { state: "success", startedAt: AT, endedAt: AT } as const;
const started = (about: object = {}) => ({
  running: true,
  success: false,
  failure: null,
  detail: null,
  why: null,
  logs: [],
  ...about,
});

async function open(says: Panel = {}) {
  const page = await enter("/admin/servers", {
    "GET /admin/servers": [rented()],
    "GET /admin/servers/interfaces": [],
    "GET /admin/servers/{id}/setup": state(),
    ...says,
  });
  const reopen = async () => {
    await page.user.click(await screen.findByRole("button", { name: "Настроить: Стокгольм" }));
    const dialog = within(await screen.findByRole("dialog", { name: "Настройка: Стокгольм" }));
    await dialog.findByRole("heading", { name: "Установка Docker" });
    const stream = Stream.all.at(-1);
    if (stream === undefined) throw new Error("nobody listens");
    return { dialog, stream };
  };
  return { ...page, reopen, ...(await reopen()) };
}
const line = (number: number, text: string, about: object = {}) => ({
  runId: uuid(900),
  step: "docker",
  number,
  at: AT,
  text,
  ...about,
});
const buttons = () => screen.getAllByRole("button").flatMap(({ textContent }) => textContent?.match(/^Начать.*/) ?? []);

test("the steps come one after the other: only the current one has a button", async () => {
  const { dialog, stream, say, user, asked } = await open({
    "POST /admin/servers/{id}/install-docker": () => started({ running: false, success: true }),
  });
  expect(dialog.getAllByRole("heading", { level: 3 }).map(({ textContent }) => textContent)).toEqual([
    "Установка Docker",
    "Установка WireGuard",
    "Настройка WireGuard",
  ]);
  expect(buttons()).toEqual(["Начать шаг 1"]);
  say({ "GET /admin/servers/{id}/setup": state({ docker: done }) });
  await user.dblClick(dialog.getByRole("button", { name: "Начать шаг 1" }));
  await waitFor(() => expect(buttons()).toEqual(["Начать шаг 2"]));
  expect(asked("POST /admin/servers/{id}/install-docker")).toHaveLength(1);
  stream.tell("setup", state({ docker: done, wireguard: { state: "running", startedAt: LATER } }));
  await waitFor(() => expect(buttons(), "somebody else began it").toEqual([]));
  await dialog.findByText("Окно можно закрыть: настройка идёт на сервере.");
});

test("one press runs all three steps in order, and none after a failed one", async () => {
  const { dialog, stream, say, user, asked } = await open({
    "POST /admin/servers/{id}/install-docker": () => started(),
    "POST /admin/servers/{id}/install-wireguard": () => started(),
  });
  say({ "GET /admin/servers/{id}/setup": state({ docker: { state: "running", startedAt: AT } }) });
  await user.click(dialog.getByRole("button", { name: "Настроить всё" }));
  await dialog.findByText(/Шаги идут один за другим/);
  expect(asked("POST /admin/servers/{id}/install-wireguard")).toHaveLength(0);
  say({ "GET /admin/servers/{id}/setup": state({ docker: done, wireguard: { state: "running", startedAt: LATER } }) });
  stream.tell("setup", state({ docker: done }));
  await waitFor(() => expect(asked("POST /admin/servers/{id}/install-wireguard")).toHaveLength(1));
  await waitFor(() => expect(asked("GET /admin/servers/{id}/setup").length).toBeGreaterThan(2));
  stream.tell("setup", state({ docker: done, wireguard: { state: "error", failure: "packages", startedAt: LATER } }));
  await dialog.findByRole("alert");
  expect(dialog.getByRole("button", { name: "Настроить всё" })).toBeTruthy();
  expect(asked("POST /admin/servers/{id}/configure-wireguard")).toHaveLength(0);
  expect(asked("POST /admin/servers/{id}/install-wireguard")).toHaveLength(1);
});

test("lines appear as they arrive, the panel's own as sentences, and markers not at all", async () => {
  const { dialog, stream } = await open();
  stream.tell("setup", state({ docker: { state: "running", startedAt: AT } }));
  stream.tell("line", line(1, "#krug stage preflight"));
  stream.tell("line", line(2, "Debian GNU/Linux 12, x86_64"));
  stream.tell("line", line(3, "#krug note docker_unneeded"));
  stream.tell("line", line(4, "#krug note waiting_for_lock 812 (apt)"));
  stream.tell("line", line(5, "#krug stage installing nftables kmod"));
  stream.tell("line", line(6, "#krug done"));
  const log = within(await dialog.findByRole("log", { name: "Журнал: Установка Docker" }));
  const shown = [...(await log.findAllByText(/./))].filter(({ tagName }) => tagName === "SPAN");
  expect(shown.map(({ textContent }) => textContent?.replaceAll("\u00a0", " "))).toEqual([
    "Проверяю машину",
    "Debian GNU/Linux 12, x86_64",
    "Docker не нужен: WireGuard работает прямо в системе",
    "Пакеты сейчас ставит 812 (apt). Жду, пока закончит",
    "Ставлю пакеты: nftables kmod",
  ]);
});

test("a stream that reconnects repeats no line, a retry starts over, and no more than 500 lines are in the page", async () => {
  const { dialog, stream } = await open();
  stream.tell("setup", state({ docker: { state: "running", startedAt: AT } }));
  stream.tell("line", line(1, "раз"));
  stream.breaks(false);
  stream.opens();
  stream.tell("line", line(1, "раз"));
  stream.tell("line", line(2, "два"));
  await dialog.findByText("два");
  expect(dialog.getAllByText("раз")).toHaveLength(1);
  stream.tell("setup", state({ docker: { state: "running", startedAt: LATER } }));
  await waitFor(() => expect(dialog.queryByText("раз"), "of the try before").toBeNull());
  for (let number = 1; number <= 520; number++)
    stream.tell("line", line(number, `строка ${number}`, { runId: uuid(901), at: LATER }));
  await dialog.findByText("строка 520");
  expect(dialog.getAllByText(/^строка \d+$/)).toHaveLength(500);
});

test("the page says why Docker is not preselected, and the operator can still choose it", async () => {
  const { dialog, user, asked } = await open({
    "GET /admin/servers/{id}/setup": { ...state(), tunnelsIn: "system", whySystem: "little_memory" },
    "PUT /admin/servers/{id}/setup": { ...state(), whySystem: "little_memory" },
  });
  await dialog.findByText("У машины меньше 1 ГБ памяти, поэтому выбрано «Без Docker».");
  await dialog.findByText(/Docker не нужен/);
  await user.click(dialog.getByRole("radio", { name: "В контейнере (Docker)" }));
  await dialog.findByText(/и поставит Docker/);
  expect(asked("PUT /admin/servers/{id}/setup")[0]?.body).toEqual({ tunnelsIn: "docker" });
});

test("the place cannot be changed while a step runs", async () => {
  const { dialog } = await open({
    "GET /admin/servers/{id}/setup": state({ docker: { state: "running", startedAt: AT } }),
  });
  const group = await dialog.findByRole("radio", { name: "Без Docker" });
  expect(group.matches(":disabled")).toBe(true);
});

test("a server in use says how it moves, and its dialog stays open", async () => {
  const all = { docker: done, wireguard: done, configure: done };
  const { user } = await enter("/admin/servers", {
    "GET /admin/servers": [rented({ needsSetup: false, isSetupComplete: true })],
    "GET /admin/servers/interfaces": [],
    "GET /admin/servers/{id}/setup": state(all, true),
  });
  await user.click(await screen.findByRole("button", { name: "Действия: Стокгольм" }));
  await user.click(await screen.findByRole("menuitem", { name: "Где работают туннели" }));
  const dialog = within(await screen.findByRole("dialog", { name: "Настройка: Стокгольм" }));
  await dialog.findByText(/Чтобы перенести туннели, пройдите шаги снова/);
  expect(dialog.queryByText(/Сервер готов/)).toBeNull();
});

test("a failure says what happened and what to do, with the machine's words, and the step can be retried", async () => {
  const { dialog, user, asked } = await open({
    "GET /admin/servers/{id}/setup": state({
      docker: done,
      wireguard: {
        state: "error",
        failure: "package_lock",
        why: whyOf(reason("machine.said", {}, "812 (unattended-upgr)")),
        startedAt: AT,
      },
    }),
    "POST /admin/servers/{id}/install-wireguard": () => started(),
  });
  const alert = await dialog.findByText(/слишком долго ставит другая программа. Дождитесь/);
  expect(alert).toBeTruthy();
  expect(dialog.getByText("812 (unattended-upgr)")).toBeTruthy();
  await user.click(dialog.getByRole("button", { name: "Начать шаг 2 снова" }));
  await waitFor(() => expect(asked("POST /admin/servers/{id}/install-wireguard")).toHaveLength(1));
});

test("closing stops nothing: reopened, the dialog shows the running step's lines", async () => {
  const running = state({ docker: { state: "running", startedAt: AT } });
  const { user, asked, reopen } = await open({ "GET /admin/servers/{id}/setup": running });
  await user.click(screen.getAllByRole("button", { name: "Закрыть" })[0] as HTMLElement);
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  expect(Stream.all.at(-1)?.readyState, "nobody listens on").toBe(Stream.CLOSED);
  expect(asked("POST /admin/servers/{id}/setup/cancel")).toHaveLength(0);
  const { dialog, stream } = await reopen();
  stream.tell("line", line(1, "всё ещё тут"));
  await dialog.findByText("всё ещё тут");
});

test("a running step is stopped between its commands, and the page says so", async () => {
  const running = state({ docker: { state: "running", startedAt: AT } });
  const { dialog, user, asked } = await open({
    "GET /admin/servers/{id}/setup": running,
    "POST /admin/servers/{id}/setup/cancel": running,
  });
  await user.click(await dialog.findByRole("button", { name: "Остановить" }));
  await dialog.findByText(/Шаг остановится между командами/);
  expect(dialog.getByRole("button", { name: "Остановка..." })).toBeTruthy();
  expect(asked("POST /admin/servers/{id}/setup/cancel")).toHaveLength(1);
});

test("a lost answer is not a failure, and a refusal says why", async () => {
  const { dialog, user, say } = await open({ "POST /admin/servers/{id}/install-docker": "silence" });
  await user.click(dialog.getByRole("button", { name: "Начать шаг 1" }));
  await dialog.findByText(/Ответ панели не пришёл. Если шаг начался, он идёт дальше/);
  expect(dialog.queryByText("Не получилось")).toBeNull();
  say({ "POST /admin/servers/{id}/install-docker": refused(409, "setup.busy", "Уже выполняется другой шаг.") });
  await user.click(dialog.getByRole("button", { name: "Начать шаг 1" }));
  await dialog.findByText("Не получилось начать шаг. Уже выполняется другой шаг.");
});

test("when the last step has succeeded it says so, and finishes after 2 s", async () => {
  const { dialog, stream, say } = await open();
  say({ "GET /admin/servers": [rented({ needsSetup: false, isSetupComplete: true })] });
  vi.useFakeTimers({ shouldAdvanceTime: true });
  try {
    stream.tell("setup", state({ docker: done, wireguard: done, configure: done }, true));
    await dialog.findByText(/Сервер готов/);
    await vi.advanceTimersByTimeAsync(1_500);
    expect(screen.queryByRole("dialog")).not.toBeNull();
    await vi.advanceTimersByTimeAsync(1_000);
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  } finally {
    vi.useRealTimers();
  }
  await waitFor(() => expect(screen.queryByRole("button", { name: /^Настроить/ })).toBeNull());
});
