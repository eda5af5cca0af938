import { screen, waitFor, within } from "@testing-library/react";
import { expect, onTestFinished, test } from "vitest";
import { openPage, screens } from "../../../testing/open-page.tsx";
import { panel, refused } from "../../../testing/panel.ts";
import { onPhone } from "../../../testing/phone.ts";

screens();

const FILE = "[Interface]\nPrivateKey = aaaa\n";
const HANDED = {
  name: "iphone",
  deviceType: "phone" as const,
  tunnel: { type: "wireguard" as const, version: null },
  config: FILE,
};

test("the config behind a link is fetched by a press, and not before", async () => {
  const { asked } = panel({ "POST /vpn/open-link": HANDED });
  const { user } = openPage("/config#token=one-time");
  const button = await screen.findByRole("button", { name: "Открыть конфиг" });
  expect(asked("POST /vpn/open-link")).toHaveLength(0);
  await user.click(button);
  expect(await screen.findByRole("heading", { name: "iphone" })).toBeTruthy();
  expect(asked("POST /vpn/open-link").map(({ body }) => body)).toEqual([{ token: "one-time" }]);
  expect(screen.getByRole("img", { name: /iphone/ })).toBeTruthy();
  expect(screen.getByRole("button", { name: "Скачать конфиг" })).toBeTruthy();
  expect(screen.getAllByRole("link", { name: /iOS|Android/ })).toHaveLength(2);
});

test("Back from a file that was not saved asks first; from a saved one it goes at once", async () => {
  panel({ "POST /vpn/open-link": HANDED });
  const { user } = openPage("/config#token=one-time");
  await user.click(await screen.findByRole("button", { name: "Открыть конфиг" }));
  await screen.findByRole("heading", { name: "iphone" });
  await waitFor(() => expect(history.state?.layers).toBe(1));
  history.back();
  const question = within(await screen.findByRole("dialog", { name: "Закрыть без файла?" }));
  expect(question.getByText(/администратору придётся прислать новую/)).toBeTruthy();
  await user.click(question.getByRole("button", { name: "Отмена" }));
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  await user.click(screen.getByRole("button", { name: "Скачать конфиг" }));
  await waitFor(() => expect(history.state?.layers ?? 0).toBe(0));
});

test("a file that no app took, because the choice was closed, still needs a confirmation", async () => {
  onPhone();
  const share = () => Promise.reject(new DOMException("", "AbortError"));
  Object.assign(navigator, { canShare: () => true, share });
  onTestFinished(() => {
    Reflect.deleteProperty(navigator, "canShare");
    Reflect.deleteProperty(navigator, "share");
  });
  panel({ "POST /vpn/open-link": HANDED });
  const { user } = openPage("/config#token=one-time");
  await user.click(await screen.findByRole("button", { name: "Открыть конфиг" }));
  await user.click(await screen.findByRole("button", { name: "Открыть в WireGuard" }));
  await waitFor(() => expect(history.state?.layers).toBe(1));
  history.back();
  await screen.findByRole("dialog", { name: "Закрыть без файла?" });
});

test("a used link says so and what to do", async () => {
  panel({ "POST /vpn/open-link": refused(400, "auth.link_invalid", "Ссылка недействительна или уже использована.") });
  const { user } = openPage("/config#token=old");
  await user.click(await screen.findByRole("button", { name: "Открыть конфиг" }));
  expect(await screen.findByText("Ссылка недействительна или уже использована.")).toBeTruthy();
  expect(screen.getByText(/Попросите администратора прислать новую/)).toBeTruthy();
});

test("without a key the page asks for the whole link", async () => {
  panel({});
  openPage("/config");
  expect(await screen.findByText(/В адресе нет ключа/)).toBeTruthy();
  expect(screen.queryByRole("button", { name: "Открыть конфиг" })).toBeNull();
});
