import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import * as lab from "../lab/network.ts";
import { createConfig, invite, PASSWORD, setUpAdmin, startPanel } from "../lab/panel.ts";
import { openBrowser, type Visitor, visit } from "./browser.ts";
import { acceptCharter } from "./charter.ts";
import { expectGuest, PATIENCE, sendSignIn } from "./enter.ts";
import { seen } from "./seen.ts";

/** A member whose server routes: what they press on the card is what their device reaches, with the file it has. */
const VIDEO = lab.TARGET_ADDRESS;
const CHAT = "203.0.113.11";
const FOLLOWS_WITHIN_MS = 5_000;

let network: lab.LabNetwork;
let browser: Browser;
let friend: Visitor;
let fileNow: () => Promise<string>;

beforeAll(async () => {
  network = await lab.makeNetwork();
  await network.target.exec("ip", ["address", "add", `${CHAT}/24`, "dev", "eth0"]);
  const [panel] = await Promise.all([
    startPanel(network, network.host),
    openBrowser().then((opened) => {
      browser = opened;
    }),
    lab.startServices(network.target, { tcp: [80] }),
  ]);
  const { admin } = await setUpAdmin(panel);
  const add = async (name: string, ip: string) => (await admin.ask("POST /services", { body: { name, ips: [ip] } })).id;
  const video = await add("Видео", VIDEO);
  await add("Переписка", CHAT);
  const { member } = await invite(panel, admin, "marina");
  const { id } = await createConfig(member, "laptop");
  const [tunnel] = await admin.ask("GET /admin/servers/interfaces");
  await admin.ask("PUT /admin/wireguard/{serverId}/interfaces/{id}", {
    params: { serverId: tunnel?.serverId ?? "", id: tunnel?.id ?? "" },
    body: { routing: "server", restExit: "closed" },
  });
  await member.ask("PUT /vpn/configs/{id}", { params: { id }, body: { services: [video] } });
  fileNow = () => member.download(id);
  friend = await visit(browser, { screen: "phone", baseURL: panel.url });
});
afterAll(async () => {
  await browser?.close();
  await network?.close();
});

const reached = () =>
  Promise.all(
    [VIDEO, CHAT].map(async (place) => (await lab.fetchFrom(network.clients[0]!, `http://${place}/`)) !== null),
  );
const follows = async (what: string, press: () => Promise<unknown>, wanted: [video: boolean, chat: boolean]) => {
  const pressedAt = Date.now();
  await press();
  await lab.until(what, async () => String(await reached()) === String(wanted));
  const ms = Date.now() - pressedAt;
  console.log(`${what}: ${ms} ms`);
  // The last look waits for silence.
  expect(ms).toBeLessThan(FOLLOWS_WITHIN_MS + 1_000);
};

test("a member switches services on the card, and traffic follows within 5 s with the same file", async () => {
  const { page } = friend;
  expectGuest(friend);
  await page.goto("/login");
  await sendSignIn(page, "marina", PASSWORD);
  await acceptCharter(page, PATIENCE);
  const card = page.getByRole("article", { name: "laptop" });
  await card.getByText("Переключаются сразу, файл остаётся прежним.").waitFor(PATIENCE);
  await seen(page, "services on the card");

  const file = await fileNow();
  await lab.tunnelUp(network, network.clients[0]!, file);
  await lab.until("the device reaches its service", async () => (await reached())[0]);
  expect(await reached()).toEqual([true, false]);

  const chip = (name: string) => card.getByRole("button", { name: new RegExp(`^${name}`) });
  await follows("one more", () => chip("Переписка").click(PATIENCE), [true, true]);
  await follows("one less", () => chip("Видео").click(PATIENCE), [false, true]);

  // The choice outlives the page.
  await page.reload();
  await card.getByRole("button", { name: /^Переписка/, pressed: true }).waitFor(PATIENCE);
  await card.getByRole("button", { name: /^Видео/, pressed: false }).waitFor(PATIENCE);
  expect(await card.getByText("скачайте заново").count()).toBe(0);
  expect(await fileNow()).toBe(file);
  expect(friend.problems()).toEqual([]);
});
