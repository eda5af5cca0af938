import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { parseConfig } from "@krug/wireguard/config-text";
import { afterAll, beforeAll, expect, test } from "vitest";
import * as lab from "./network.ts";
import { createConfig, invite, type LabPanel, setUpAdmin, startPanel, type Visitor } from "./panel.ts";
import { doStep, STEPS } from "./set-up.ts";
import { startVps, type Vps } from "./vps.ts";

/* A rented machine without any IPv4: the panel reaches its sshd, and devices its tunnel, over IPv6. */
const PASSWORD = "root's own password";
const TARGET = `http://[${lab.TARGET_ADDRESS_V6}]/`;
/** Of the starting set. The target answers for it. */
const RESOLVER = "2606:4700:4700::1111";
const DEVICE_PATIENCE_MS = 60_000;

let vps: Vps;
let panel: LabPanel;
let admin: Visitor;
let id: string;
let anna: Visitor;
let file: string;
let device: lab.Tunnel;
const client = () => vps.network.clients[0]!;
const fetched = (url = TARGET) => lab.fetchFrom(client(), url, 3);
const connects = () => lab.until("the device reaches the target", () => fetched(), DEVICE_PATIENCE_MS);

beforeAll(async () => {
  vps = await startVps({ password: PASSWORD, onlyV6: true });
  const { internet, target, folder } = vps.network;
  const names = join(folder, "names-of-the-internet");
  await writeFile(names, `page.example ${lab.TARGET_ADDRESS_V6}\nold.example ${lab.TARGET_ADDRESS}\n`);
  await target.exec("ip", ["address", "add", `${RESOLVER}/128`, "dev", "eth0", "nodad"]);
  await vps.exec(`ip -6 route add ${RESOLVER} via ${lab.TARGET_ADDRESS_V6}`);
  const [resolver] = await Promise.all([
    lab.startScript(target, "./name-server.ts", [RESOLVER, names]),
    lab.startServices(target, { tcp: [80] }),
  ]);
  await lab.until("names are answered", () => resolver.output().includes("listening"));
  panel = await startPanel(vps.network, internet, { env: { LOCAL_SERVER: "off" } });
  ({ admin } = await setUpAdmin(panel));
});
afterAll(() => vps?.stop());

test("it has no IPv4, and its sshd answers on IPv6 only", async () => {
  expect(await vps.exec("ip -4 -o address show scope global; ip -4 route; hostname -I")).toBe(
    `${lab.HOST_ADDRESS_V6} 2001:db8:113::1 fd77::1 \n`,
  );
  expect(await vps.exec("ss -H -4 -tln 'sport = :22'; ss -H -6 -tln 'sport = :22' | wc -l")).toBe("1\n");
});

test("three steps over SSH make it a server, whose interface carries IPv6 unasked", async () => {
  const credentials = { host: lab.HOST_ADDRESS_V6, port: 22, username: "root", password: PASSWORD };
  const added = await admin.ask("POST /admin/servers", {
    body: { name: "Осло", tunnelsIn: "system", isMain: true, credentials },
  });
  ({ id } = added);
  expect(added).toMatchObject({ status: "connected", fingerprint: vps.fingerprint });
  for (const step of STEPS) expect(await doStep(admin, id, step), step).toMatchObject({ success: true });
  expect(await admin.ask("GET /admin/servers/interfaces")).toMatchObject([
    { listenPort: 51820, conflict: null, subnetV6: expect.stringMatching(/^fd.*\/64$/) },
  ]);
});

test("a device connects over IPv6 with only the file, and opens pages by their names", async () => {
  ({ member: anna } = await invite(panel, admin, "anna"));
  const config = await createConfig(anna, "laptop");
  expect(config.state).toBe("applied");
  file = await anna.download(config.id);
  const { addresses, dns, peer } = parseConfig(file);
  expect(peer.endpoint).toEqual({ host: lab.HOST_ADDRESS_V6, port: 51820 });
  expect(addresses).toHaveLength(2);
  expect(dns[0]).toBe(RESOLVER);

  expect(await fetched()).toBeNull();
  device = await lab.tunnelUp(vps.network, client(), file);
  await connects();
  expect(await vps.exec("wg show wg0 endpoints")).toContain("\t[2001:db8:51::11]:");
  expect(await fetched("http://page.example/")).toContain("target sees 2001:db8:113::1");
  expect(await fetched(`${TARGET}?bytes=3000000`)).toHaveLength(3_000_000 + "target sees 2001:db8:113::1\n".length);
  await lab.until("the card shows what came", async () => {
    const { dataReceived, lastHandshake } = await anna.ask("GET /vpn/configs/{id}/stats", {
      params: { id: config.id },
    });
    return lastHandshake !== null && dataReceived > 3_000_000;
  });
  const [server] = await admin.ask("GET /admin/servers");
  expect(server).toMatchObject({ status: "connected", forwarding: null });
});

test("there IPv4 leads nowhere, and the device learns that at once; private networks are closed as everywhere", async () => {
  const place = `${lab.TARGET_ADDRESS}:80`;
  for (const url of [`http://${place}/`, "http://old.example/"]) {
    const { stderr } = await client().attempt("curl", ["-sS", "--noproxy", "*", "--max-time", "10", url]);
    expect(stderr, url).toMatch(/[Nn]etwork is unreachable|No route to host|Couldn't connect/);
    expect(stderr, url).not.toContain("timed out");
  }
  expect(await fetched(`http://[${lab.PRIVATE_ADDRESS_V6}]/`)).toBeNull();
  expect(await fetched()).not.toBeNull();
});

test("after a power cut it serves again over IPv6 without a panel, and the panel finds it again", async () => {
  await lab.until(
    "its tunnel is kept",
    async () => (await vps.exec("cat /var/lib/krug/tunnels/*.conf 2>/dev/null || true")).includes("[Peer]"),
    30_000,
  );
  await panel.end("SIGTERM");
  await vps.reboot();
  await vps.exec(`ip -6 route add ${RESOLVER} via ${lab.TARGET_ADDRESS_V6}`);
  await connects();
  await panel.start();
  await lab.until(
    "the panel sees it",
    async () => (await admin.ask("GET /admin/servers")).find((one) => one.id === id)?.status === "connected",
    30_000,
  );
  await device.down();
});
