import { afterAll, beforeAll, expect, test } from "vitest";
import { type FirstStart, startFreshMachine } from "./first-command.ts";
import * as lab from "./network.ts";
import { createConfig, invite, setUpAdmin } from "./panel.ts";

/* The README's first command on a Debian with only Node and this repository. */
let machine: Awaited<ReturnType<typeof startFreshMachine>>;
beforeAll(async () => {
  machine = await startFreshMachine(12);
});
afterAll(() => machine?.stop());

const OVER_SSH = { SSH_CONNECTION: `198.51.100.11 50000 ${lab.HOST_ADDRESS} 22` };

const chosenPackages = async () => (await machine.vps.exec("apt-mark showmanual")).trim().split("\n");

/** From the printed link to a device that reaches the internet. */
async function connectDevice(panel: FirstStart) {
  expect(await (await fetch(panel.url)).text()).toContain("<html");
  const { admin } = await setUpAdmin(panel);
  const { member } = await invite(panel, admin, "anna");
  const { id } = await createConfig(member, "laptop");
  const [client] = machine.network.clients;
  const tunnel = await lab.tunnelUp(machine.network, client!, await member.download(id));
  await lab.until("the device reaches the internet", () => lab.fetchFrom(client!, `http://${lab.TARGET_ADDRESS}/`));
  expect((await tunnel.state()).handshakeAt).toBeGreaterThan(0);
  await tunnel.down();
  return (await admin.ask("GET /admin/system")).local.backend;
}

/** The output by line. It ends with the link and what to do with it. */
function linesOf(panel: FirstStart, user: string): string[] {
  const lines = panel.output().trim().split("\n");
  expect(panel.output()).not.toMatch(/[^\P{Cc}\n]/u);
  expect(lines.at(-3)).toMatch(/one-time link\): http:\/\/127\.0\.0\.1:3001\/setup#token=\S+$/);
  expect(lines.at(-2)).toContain(`ssh -L 3001:127.0.0.1:3001 ${user}@${lab.HOST_ADDRESS}`);
  return lines;
}

test("npm start as root installs what tunnels lack and nothing else, and its link leads to a connected device", async () => {
  const before = await chosenPackages();
  const panel = await machine.start("root", OVER_SSH);
  const lines = linesOf(panel, "root");
  expect(lines).toContainEqual(
    expect.stringMatching(/need: wireguard-tools, nftables, iproute2 \(INSTALL_PACKAGES=off/),
  );
  expect(lines).toContain("Установлено / installed: wireguard-tools, nftables, iproute2");
  expect(lines).toContainEqual(expect.stringMatching(/^Installing packages: \d+ of \d+ are here, \d+ to go$/));
  expect(lines).toContainEqual(expect.stringMatching(/^Building: .* to go/));
  expect((await chosenPackages()).filter((name) => !before.includes(name)).sort()).toEqual([
    "iproute2",
    "nftables",
    "wireguard-tools",
  ]);
  expect(await connectDevice(panel)).toBe("userspace");
  await panel.started.kill("SIGTERM");
  await machine.vps.exec("cd /root/krug && npm run --silent krug remove-tunnels");
});

const ofNetwork = () => machine.vps.exec("ip -brief address; nft list ruleset; sysctl net.ipv4.ip_forward");

test("npm start as an ordinary user connects a device too, and does not change the machine's network", async () => {
  await machine.handOver();
  const before = await ofNetwork();
  const panel = await machine.start("an ordinary user", { ...OVER_SSH, SUDO_USER: "anna" });
  expect(linesOf(panel, "anna")).not.toContainEqual(expect.stringMatching(/^(Installing|Building|Пакеты)/));
  expect(await connectDevice(panel)).toBe("netstack");
  expect(await ofNetwork()).toBe(before);
});
