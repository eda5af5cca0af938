import { screen, within } from "@testing-library/react";
import { openPage } from "./open-page.tsx";
import { type Panel, panel } from "./panel.ts";
import { cloudflare, config, member, service, uuid, wgInterface } from "./samples.ts";

export const made = { ...config({ name: "pixel", id: uuid(99) }), template: null };

export const services = [service(0, "YouTube", 38), service(1, "Instagram", 60), service(2, "Netflix", 42)];

export async function openForm(says: Panel = {}) {
  const club = panel({
    "GET /auth/me": member(),
    "GET /vpn/configs": [],
    "GET /services": services,
    "GET /dns": [cloudflare],
    "GET /vpn/available-interfaces": [
      wgInterface({ id: uuid(61), name: "Interface 2", reason: "inactive", isActive: false, isPreferred: false }),
      wgInterface(),
    ],
    "GET /vpn/configs/{id}/qrcode": { config: "[Interface]", name: "pixel" },
    "GET /vpn/configs/{id}/stats": { lastHandshake: null, dataReceived: 0, dataSent: 0, speed: null },
    ...says,
  });
  const page = openPage("/dashboard");
  await page.user.click((await screen.findAllByRole("button", { name: "Создать конфиг" }))[0] as HTMLElement);
  const dialog = within(await screen.findByRole("dialog", { name: "Создание VPN конфига" }));
  await dialog.findByLabelText("Имя");
  const submit = () => dialog.getByRole<HTMLButtonElement>("button", { name: "Создать конфиг" });
  const fill = async (name = "pixel") => {
    await page.user.type(dialog.getByLabelText("Имя"), name);
    await page.user.click(dialog.getByRole("radio", { name: "Телефон" }));
    await page.user.click(dialog.getByRole("checkbox", { name: /YouTube/ }));
  };
  return { ...club, ...page, dialog, submit, fill };
}

export const openAgain = async (user: ReturnType<typeof openPage>["user"]) => {
  await user.click((await screen.findAllByRole("button", { name: "Создать конфиг" }))[0] as HTMLElement);
  return within(await screen.findByRole("dialog", { name: "Создание VPN конфига" }));
};

export const everything = { ...service(9, "Весь трафик", 0), ips: ["0.0.0.0/0", "::/0"] };

export async function openFirst(says: Panel = {}) {
  const club = panel({
    "GET /auth/me": member(),
    "GET /vpn/configs": [],
    "GET /services": [...services, everything],
    "GET /dns": [cloudflare],
    "GET /vpn/available-interfaces": [wgInterface()],
    "GET /vpn/configs/{id}/qrcode": { config: "[Interface]", name: "phone" },
    "GET /vpn/configs/{id}/stats": { lastHandshake: null, dataReceived: 0, dataSent: 0, speed: null },
    "POST /vpn/configs": made,
    ...says,
  });
  const page = openPage("/dashboard");
  await page.user.click((await screen.findAllByRole("button", { name: "Создать конфиг" }))[0] as HTMLElement);
  const dialog = within(await screen.findByRole("dialog", { name: "Создание VPN конфига" }));
  return { ...club, ...page, dialog };
}

export const AGENTS = {
  iphone: "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 Mobile/15E148 Safari/604.1",
  ipad: "Mozilla/5.0 (iPad; CPU OS 12_5 like Mac OS X) AppleWebKit/605.1.15 Mobile/15E148 Safari/604.1",
  android: "Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36 Chrome/131.0.0.0 Mobile Safari/537.36",
  windows: "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/131.0.0.0 Safari/537.36",
  mac: "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 Version/18.0 Safari/605.1.15",
  linux: "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/131.0.0.0 Safari/537.36",
};
