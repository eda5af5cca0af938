import { act, screen, waitFor, within } from "@testing-library/react";
import { expect, onTestFinished, test, vi } from "vitest";
import { screens } from "../../../testing/open-page.tsx";
import { type Panel, refused } from "../../../testing/panel.ts";
import { config, inDays, PLAIN_LOOK, uuid, wgInterface } from "../../../testing/samples.ts";
import { admin, enter, fileOf, listed, moderator } from "../../../testing/staff.ts";

screens();

const anna = listed(1, { displayName: "Анна", username: "anna" });
const LINK = "https://krug.test/config#token=one-time";
const all = {
  id: uuid(30),
  name: "Весь трафик",
  ips: ["0.0.0.0/0"],
  deviceTypes: ["all" as const],
  allBut: false,
  ...PLAIN_LOOK,
  createdAt: inDays(-9),
};

const open = (says: Panel = {}, me = admin) =>
  enter(
    "/admin/users/anna",
    {
      "GET /admin/users/{id}": fileOf(anna),
      "GET /vpn/configs/{id}": [config({ name: "phone" })],
      "GET /users/{id}/invited": [],
      "GET /services": [all] as never,
      "GET /dns": [{ id: uuid(50), name: "AdGuard", ips: ["94.140.14.14"] }] as never,
      "GET /vpn/available-interfaces": [wgInterface({ isPreferred: true })],
      ...says,
    },
    me,
  );
const inDialog = async (name: string) => within(await screen.findByRole("dialog", { name }));

test("an admin creates a config for a member with one press, and gets a link but no file", async () => {
  const { user, asked } = await open({
    "POST /users/{id}/configs": { config: config({ name: "phone-2" }), link: LINK, expiresAt: inDays(1) },
  });
  await user.click(await screen.findByRole("button", { name: "Создать для участника" }));
  const dialog = await inDialog("Новый конфиг: Анна");
  await user.click(await dialog.findByRole("button", { name: "Создать конфиг" }));
  const done = await inDialog("phone-2 создан");
  expect(done.getByText(LINK)).toBeTruthy();
  expect(done.queryByRole("button", { name: /Скачать/ })).toBeNull();
  const [sent] = asked("POST /users/{id}/configs");
  // A name that the member already uses is not suggested.
  expect(sent?.body).toEqual({
    name: "phone-2",
    deviceType: "phone",
    services: [all.id],
    dns: uuid(50),
    interfaceId: uuid(60),
  });
  expect(sent?.headers.get("idempotency-key")).toBeTruthy();
  expect(asked("GET /vpn/available-interfaces")[0]?.query.get("userId")).toBe(anna.id);
});

test("the form appears when its last list has loaded, in any order", async () => {
  let give = () => {};
  const late = new Promise<void>((resolve) => {
    give = resolve;
  });
  const { user, asked } = await open({ "GET /services": () => late.then(() => [all]) });
  await user.click(await screen.findByRole("button", { name: "Создать для участника" }));
  const dialog = await inDialog("Новый конфиг: Анна");
  await waitFor(() => expect(asked("GET /vpn/available-interfaces")).toHaveLength(1));
  give();
  // The page's clock rerenders everything every 15 s.
  await dialog.findByRole("button", { name: "Создать конфиг" }, { timeout: 10_000 });
});

test("a refusal is worded about the member, not to them", async () => {
  const { user } = await open({
    "POST /users/{id}/configs": refused(409, "config.limit_reached", "Достигнут лимит конфигураций"),
  });
  await user.click(await screen.findByRole("button", { name: "Создать для участника" }));
  const dialog = await inDialog("Новый конфиг: Анна");
  await user.click(await dialog.findByRole("button", { name: "Создать конфиг" }));
  expect(await dialog.findByText("У участника уже столько конфигов, сколько разрешает лимит.")).toBeTruthy();
});

test("an unused link can be revoked and replaced", async () => {
  const waiting = config({ madeByStaff: true });
  const { user, asked, say } = await open({
    "GET /vpn/configs/{id}": [{ ...waiting, handOver: { linkUntil: inDays(1) } }],
    "DELETE /admin/configs/{id}/link": undefined as never,
    "POST /admin/configs/{id}/link": { link: LINK, expiresAt: inDays(1) },
  });
  await screen.findByText(/Файл ещё не открыт, ссылка действует до/);
  say({ "GET /vpn/configs/{id}": [{ ...waiting, handOver: { linkUntil: null } }] });
  await user.click(screen.getByRole("button", { name: "Отозвать" }));
  await screen.findByText("Файл ещё не открыт, действующей ссылки нет");
  expect(asked("DELETE /admin/configs/{id}/link")).toHaveLength(1);
  await user.click(screen.getByRole("button", { name: "Новая ссылка" }));
  const dialog = await inDialog("Новая ссылка: iphone-marina");
  await user.click(dialog.getByRole("button", { name: "Создать ссылку" }));
  expect(await (await inDialog("Новая ссылка: iphone-marina")).findByText(LINK)).toBeTruthy();
});

test("an opened link shows within seconds, without a reload", async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  onTestFinished(() => void vi.useRealTimers());
  const waiting = config({ madeByStaff: true });
  const { say } = await open({ "GET /vpn/configs/{id}": [{ ...waiting, handOver: { linkUntil: inDays(1) } }] });
  await screen.findByText(/Файл ещё не открыт/);
  say({ "GET /vpn/configs/{id}": [{ ...waiting, handOver: null }] });
  await act(() => vi.advanceTimersByTimeAsync(11_000));
  await waitFor(() => expect(screen.queryByText(/Файл ещё не открыт/)).toBeNull());
});

test("a moderator cannot create configs for members", async () => {
  await open({}, moderator);
  await screen.findByText("phone");
  expect(screen.queryByRole("button", { name: "Создать для участника" })).toBeNull();
});

test("for a member who joined by a template, its services are preselected", async () => {
  const films = { ...all, id: uuid(31), name: "Кино", ips: ["192.0.2.0/24"] };
  const { user, asked } = await open({
    "GET /services": [all, films] as never,
    "GET /vpn/suggested-services": [films.id],
    "POST /users/{id}/configs": { config: config({ name: "phone-2" }), link: LINK, expiresAt: inDays(1) },
  });
  await user.click(await screen.findByRole("button", { name: "Создать для участника" }));
  const dialog = await inDialog("Новый конфиг: Анна");
  await user.click(await dialog.findByRole("button", { name: "Создать конфиг" }));
  await inDialog("phone-2 создан");
  expect(asked("POST /users/{id}/configs")[0]?.body).toMatchObject({ services: [films.id] });
  expect(asked("GET /vpn/suggested-services")[0]?.query.get("userId")).toBe(anna.id);
});

test("the member's page shows the template that the member joined by", async () => {
  await open({ "GET /admin/users/{id}": fileOf(anna, { template: "Семья" }) });
  expect((await screen.findByText("Шаблон")).closest("div")?.textContent).toContain("Семья");
});
