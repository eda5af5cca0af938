import type { Api } from "@krug/contract/api";
import { screen, waitFor, within } from "@testing-library/react";
import { expect, test } from "vitest";
import { begins, foundDevice, foundInterface, openMoveIn } from "../../../testing/moving-in.ts";
import { screens } from "../../../testing/open-page.tsx";
import { type Panel, refused } from "../../../testing/panel.ts";
import { inDays, uuid } from "../../../testing/samples.ts";
import { server } from "../../../testing/servers.ts";

screens();

type Moved = NonNullable<Api["GET /admin/servers/{id}/old-programs"]["answer"]["moved"]>;
type Program = Api["POST /admin/servers/{id}/old-programs/find"]["answer"]["programs"][number];

const STATE = "GET /admin/servers/{id}/old-programs";
const FIND = "POST /admin/servers/{id}/old-programs/find";
const LOOK = "POST /admin/servers/{id}/old-programs/preview";
const TAKE = "POST /admin/servers/{id}/old-programs/take";
const BACK = "POST /admin/servers/{id}/old-programs/back";
const LINKS = "POST /admin/servers/{id}/old-programs/links";
const KEEP = "DELETE /admin/servers/{id}/old-programs";

const program = (about: Partial<Program> = {}): Program => ({
  name: "wg0",
  startedBy: "wg-quick",
  isRunning: true,
  removesItself: false,
  found: { subnet: "10.9.0.0/24", amneziawg: null, devices: 1 },
  problem: null,
  ...about,
});
const found = foundInterface({
  devices: [
    foundDevice({ name: "телефон", suggestedName: "device-1", suggestedUsername: "telefon", hasPrivateKey: true }),
  ],
});
const vera = { id: uuid(1), username: "telefon", displayName: "телефон" };
const moved = (about: Partial<Moved> = {}): Moved => ({
  name: "wg0",
  startedBy: "wg-quick",
  state: "done",
  why: null,
  trouble: null,
  startedAt: inDays(0),
  invited: [vera],
  hasLinks: true,
  ...about,
});

const open = (says: Panel = {}, about: Parameters<typeof server>[0] = { driver: "ssh" }) =>
  openMoveIn({
    "GET /admin/servers": [server(about)],
    [STATE]: { moved: null },
    [FIND]: { programs: [program()] },
    [LOOK]: found,
    ...says,
  } as Panel);

test("what is found on the server is listed, and taken over with its devices as new members", async () => {
  const { user, dialog, asked, say } = await open({ [TAKE]: { moved: moved({ state: "taking" }) } });
  await dialog.findByText(/ключи,\sадреса\sи\sимена\sустройств/);
  await user.click(dialog.getByRole("button", { name: "Искать" }));
  await dialog.findByText(/wg-quick · 1\sустройство · WireGuard · 10\.9\.0\.0\/24/);
  await user.click(dialog.getByRole("button", { name: "Посмотреть: wg0" }));
  await dialog.findByText(begins("Если новый интерфейс не ответит за 90 секунд"));
  await user.click(dialog.getByRole("button", { name: begins("Всех остальных сделать участниками") }));
  say({ [STATE]: { moved: moved({ state: "answering" }) } });
  await user.click(dialog.getByRole("button", { name: begins("Перенести: 1") }));
  await dialog.findByText(begins("Устройства записаны. Ждём"));
  expect(asked(TAKE)).toMatchObject([
    {
      body: {
        program: "wg0",
        publicKey: found.publicKey,
        listenPort: 51820,
        newMembersUntil: expect.any(String),
        devices: [{ newMember: { username: "telefon" }, name: "device-1" }],
      },
    },
  ]);
  say({ [STATE]: { moved: moved() } });
  await dialog.findByText(begins("wg0: перенесено"), {}, { timeout: 5_000 });
});

test("a container says that it is stopped, before anything is", async () => {
  const { user, dialog } = await open({ [FIND]: { programs: [program({ name: "wg-easy", startedBy: "container" })] } });
  await user.click(await dialog.findByRole("button", { name: "Искать" }));
  await user.click(await dialog.findByRole("button", { name: "Посмотреть: wg-easy" }));
  await dialog.findByText(begins("Контейнер wg-easy остановится"));
});

test("an import that is done shows its links again, and goes back after a question", async () => {
  const link = { ...vera, link: "https://club.example/password#one-time", expiresAt: inDays(14) };
  const { user, dialog, asked, say } = await open({
    [STATE]: { moved: moved() },
    [LINKS]: { invited: [link] },
    [BACK]: { moved: moved({ state: "leaving" }) },
  });
  await user.click(await dialog.findByRole("button", { name: begins("Показать ссылки") }));
  await screen.findByText("телефон");
  await user.click(screen.getByRole("button", { name: "Готово" }));
  await user.click(await dialog.findByRole("button", { name: begins("Вернуть прежнюю программу") }));
  const ask = within(await screen.findByRole("dialog", { name: begins("Вернуть wg0?") }));
  ask.getByText(/созданные\sс\sтех\sпор/);
  expect(asked(BACK)).toEqual([]);
  say({ [STATE]: { moved: moved({ state: "left" }) }, [KEEP]: { moved: null } });
  await user.click(ask.getByRole("button", { name: "Вернуть" }));
  await screen.findByText(begins("wg0 снова обслуживает устройства"), {}, { timeout: 5_000 });
  await user.click(screen.getByRole("button", { name: "Понятно" }));
  await screen.findByRole("button", { name: "Искать" });
});

test("why it went back, and what keeps it from going back, is said", async () => {
  const why = { code: "import.silent", ru: "новый интерфейс не ответил", en: "", said: null };
  const trouble = { code: "ssh.silent", ru: "машина не отвечает", en: "", said: null };
  const { dialog, user } = await open({ [STATE]: { moved: moved({ state: "leaving", why, trouble }) } });
  await dialog.findByText("новый интерфейс не ответил");
  dialog.getByText("машина не отвечает");
  await user.click(dialog.getByRole("button", { name: begins("Оставить как есть") }));
  await screen.findByRole("dialog", { name: begins("Оставить насовсем?") });
});

test("nothing found, a refusal, and a program that cannot be taken over have their words", async () => {
  const { user, dialog, say } = await open({ [FIND]: { programs: [] } });
  await user.click(await dialog.findByRole("button", { name: "Искать" }));
  await dialog.findByText(begins("Других программ VPN на сервере не нашлось"));
  say({ [FIND]: refused(503, "server.unreachable", "Сервер не отвечает.") });
  await user.click(dialog.getByRole("button", { name: begins("Искать ещё раз") }));
  await dialog.findByText(begins("Поиск не удался. Сервер не отвечает."));
  say({ [FIND]: { programs: [program({ name: "wg-easy", startedBy: "container", removesItself: true })] } });
  await user.click(dialog.getByRole("button", { name: "Искать" }));
  await dialog.findByText(begins("Запущена с --rm"));
  expect(dialog.queryByRole("button", { name: "Посмотреть: wg-easy" })).toBeNull();
});

test("on the panel's own machine the command is named, and files are offered first", async () => {
  const { user, dialog } = await open({}, {});
  expect(dialog.getByRole("radio", { name: begins("Из файлов") })).toHaveProperty("checked", true);
  await user.click(dialog.getByRole("radio", { name: begins("Найти на сервере") }));
  await waitFor(() => dialog.getByText("krug import"));
});
