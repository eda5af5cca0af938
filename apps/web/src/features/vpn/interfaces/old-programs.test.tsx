import type { Api } from "@krug/contract/api";
import { screen, waitFor, within } from "@testing-library/react";
import { expect, test } from "vitest";
import { screens } from "../../../testing/open-page.tsx";
import { type Panel, refused } from "../../../testing/panel.ts";
import { inDays, uuid } from "../../../testing/samples.ts";
import { server, staffInterface } from "../../../testing/servers.ts";
import { enter } from "../../../testing/staff.ts";

screens();

type Moved = NonNullable<Api["GET /admin/servers/{id}/old-programs"]["answer"]["moved"]>;
type Program = Api["POST /admin/servers/{id}/old-programs/find"]["answer"]["programs"][number];
type Found = Api["POST /admin/servers/{id}/old-programs/preview"]["answer"];

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
const found: Found = {
  publicKey: "s".repeat(43),
  subnet: "10.9.0.0/24",
  listenPort: 51820,
  mtu: null,
  amneziawg: null,
  isTypeOpen: false,
  runsAs: null,
  givesWay: [],
  ignored: ["PostUp"],
  unread: [],
  devices: [
    {
      publicKey: "a".repeat(43),
      name: "телефон",
      suggestedName: "device-1",
      suggestedUsername: "telefon",
      address: "10.9.0.2",
      hasPrivateKey: true,
      isEnabled: true,
      endsAt: null,
      traffic: null,
      losesV6: false,
      strange: null,
      suggestedOwner: null,
    },
  ],
  owners: [],
};
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
const said = (text: string) => new RegExp(`^${text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&").replaceAll(" ", "\\s")}`);

async function open(says: Panel = {}, about: Parameters<typeof server>[0] = { driver: "ssh" }) {
  const opened = await enter("/admin/interfaces", {
    "GET /admin/servers": [server(about)],
    "GET /admin/servers/interfaces": [staffInterface()],
    "GET /admin/rights": { actions: ["interfaces.see", "interfaces.change"] },
    [STATE]: { moved: null },
    [FIND]: { programs: [program()] },
    [LOOK]: found,
    ...says,
  } as Panel);
  const { user } = opened;
  await user.click(await screen.findByRole("button", { name: "Создать интерфейс" }));
  await user.click(await screen.findByRole("button", { name: said("Перенести из wg-quick, AmneziaVPN или wg-easy") }));
  const dialog = within(await screen.findByRole("dialog", { name: "Перенести интерфейс" }));
  return { ...opened, dialog };
}

test("what is found on the server is listed, and taken over with its devices as new members", async () => {
  const { user, dialog, asked, say } = await open({ [TAKE]: { moved: moved({ state: "taking" }) } });
  await dialog.findByText(/ключи,\sадреса\sи\sимена\sустройств/);
  await user.click(dialog.getByRole("button", { name: "Искать" }));
  await dialog.findByText(/wg-quick · 1\sустройство · WireGuard · 10\.9\.0\.0\/24/);
  await user.click(dialog.getByRole("button", { name: "Посмотреть: wg0" }));
  await dialog.findByText(said("Если новый интерфейс не ответит за 90 секунд"));
  await user.click(dialog.getByRole("button", { name: said("Всех остальных сделать участниками") }));
  say({ [STATE]: { moved: moved({ state: "answering" }) } });
  await user.click(dialog.getByRole("button", { name: said("Перенести: 1") }));
  await dialog.findByText(said("Устройства записаны. Ждём"));
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
  await dialog.findByText(said("wg0: перенесено"), {}, { timeout: 5_000 });
});

test("a container says that it is stopped, before anything is", async () => {
  const { user, dialog } = await open({ [FIND]: { programs: [program({ name: "wg-easy", startedBy: "container" })] } });
  await user.click(await dialog.findByRole("button", { name: "Искать" }));
  await user.click(await dialog.findByRole("button", { name: "Посмотреть: wg-easy" }));
  await dialog.findByText(said("Контейнер wg-easy остановится"));
});

test("an import that is done shows its links again, and goes back after a question", async () => {
  const link = { ...vera, link: "https://club.example/password#one-time", expiresAt: inDays(14) };
  const { user, dialog, asked, say } = await open({
    [STATE]: { moved: moved() },
    [LINKS]: { invited: [link] },
    [BACK]: { moved: moved({ state: "leaving" }) },
  });
  await user.click(await dialog.findByRole("button", { name: said("Показать ссылки") }));
  await screen.findByText("телефон");
  await user.click(screen.getByRole("button", { name: "Готово" }));
  await user.click(await dialog.findByRole("button", { name: said("Вернуть прежнюю программу") }));
  const ask = within(await screen.findByRole("dialog", { name: said("Вернуть wg0?") }));
  ask.getByText(/созданные\sс\sтех\sпор/);
  expect(asked(BACK)).toEqual([]);
  say({ [STATE]: { moved: moved({ state: "left" }) }, [KEEP]: { moved: null } });
  await user.click(ask.getByRole("button", { name: "Вернуть" }));
  await screen.findByText(said("wg0 снова обслуживает устройства"), {}, { timeout: 5_000 });
  await user.click(screen.getByRole("button", { name: "Понятно" }));
  await screen.findByRole("button", { name: "Искать" });
});

test("why it went back, and what keeps it from going back, is said", async () => {
  const why = { code: "import.silent", ru: "новый интерфейс не ответил", en: "", said: null };
  const trouble = { code: "ssh.silent", ru: "машина не отвечает", en: "", said: null };
  const { dialog, user } = await open({ [STATE]: { moved: moved({ state: "leaving", why, trouble }) } });
  await dialog.findByText("новый интерфейс не ответил");
  dialog.getByText("машина не отвечает");
  await user.click(dialog.getByRole("button", { name: said("Оставить как есть") }));
  await screen.findByRole("dialog", { name: said("Оставить насовсем?") });
});

test("nothing found, a refusal, and a program that cannot be taken over have their words", async () => {
  const { user, dialog, say } = await open({ [FIND]: { programs: [] } });
  await user.click(await dialog.findByRole("button", { name: "Искать" }));
  await dialog.findByText(said("Других программ VPN на сервере не нашлось"));
  say({ [FIND]: refused(503, "server.unreachable", "Сервер не отвечает.") });
  await user.click(dialog.getByRole("button", { name: said("Искать ещё раз") }));
  await dialog.findByText(said("Поиск не удался. Сервер не отвечает."));
  say({ [FIND]: { programs: [program({ name: "wg-easy", startedBy: "container", removesItself: true })] } });
  await user.click(dialog.getByRole("button", { name: "Искать" }));
  await dialog.findByText(said("Запущена с --rm"));
  expect(dialog.queryByRole("button", { name: "Посмотреть: wg-easy" })).toBeNull();
});

test("on the panel's own machine the command is named, and files are offered first", async () => {
  const { user, dialog } = await open({}, {});
  expect(dialog.getByRole("radio", { name: said("Из файлов") })).toHaveProperty("checked", true);
  await user.click(dialog.getByRole("radio", { name: said("Найти на сервере") }));
  await waitFor(() => dialog.getByText("krug import"));
});
