import { parseConfig } from "@krug/wireguard/config-text";
import { publicKeyOf } from "@krug/wireguard/keys";
import { afterAll, beforeAll, expect, test } from "vitest";
import { addExit, type ExitServer, seenBy } from "./exit-network.ts";
import * as lab from "./network.ts";
import { configInputOf, createConfig, invite, type LabPanel, setUpAdmin, startPanel, type Visitor } from "./panel.ts";
import { doStep, STEPS } from "./set-up.ts";
import { startVps, type Vps } from "./vps.ts";

/*
 * The built panel on its own machine, which is the entry, and a rented one over SSH, which is the exit. In the lab's network the rented
 * machine has the host's place, so `seenBy` calls it 'entry', and the panel's machine 'exit 1'.
 */
const FAR = "entry";
const NEAR = "exit 1";
const PASSWORD = "root's own password";
const OTHER = "203.0.113.11";
/** What the club promises of exits. */
const MINUTE_MS = 60_000;

interface Counted {
  id: string;
  member: Visitor;
  config: string;
  file: string;
  tunnel: lab.Tunnel;
}
let vps: Vps;
let near: ExitServer;
let panel: LabPanel;
let admin: Visitor;
let anna: Counted;
let exitId: string;
let place: { serverId: string; id: string };

const seen = (client = 0) =>
  Promise.all(
    [lab.TARGET_ADDRESS, `[${lab.TARGET_ADDRESS_V6}]`, OTHER].map(async (where) =>
      seenBy(await lab.fetchFrom(vps.network.clients[client]!, `http://${where}/`)),
    ),
  );
const clientIsAs = async (client: number, ...wanted: (string | null)[]) => {
  const from = Date.now();
  await lab.until(`as ${wanted}`, async () => String(await seen(client)) === String(wanted), MINUTE_MS);
  console.log(`as ${wanted.join(", ")}: after ${Date.now() - from} ms`);
};
const isAs = (...wanted: (string | null)[]) => clientIsAs(0, ...wanted);
const turn = (to: "up" | "down") => vps.network.internet.exec("ip", ["link", "set", "to-host", to]);
interface Change {
  routing?: "server";
  restExit?: string;
  exitDown?: string;
  exitLink?: "amneziawg";
  ipv6?: boolean;
}
const change = (body: Change, of = place) =>
  admin.ask("PUT /admin/wireguard/{serverId}/interfaces/{id}", { params: of, body });
const card = async () => (await anna.member.ask("GET /vpn/configs"))[0];

beforeAll(async () => {
  vps = await startVps({ password: PASSWORD, clients: 2 });
  near = await addExit(vps.network, 1);
  const { target } = vps.network;
  await target.exec("ip", ["address", "add", `${OTHER}/24`, "dev", "eth0"]);
  await near.exit.exec("ip", ["route", "add", OTHER, "via", "203.0.114.10"]);
  [panel] = await Promise.all([startPanel(vps.network, near.exit), lab.startServices(target, { tcp: [80] })]);
  ({ admin } = await setUpAdmin(panel));
  const credentials = { host: lab.HOST_ADDRESS, port: 22, username: "root", password: PASSWORD };
  const made = await admin.ask("POST /admin/servers", {
    body: { name: "Хельсинки", tunnelsIn: "system", credentials },
  });
  exitId = made.id;
  for (const step of STEPS) expect(await doStep(admin, exitId, step)).toMatchObject({ success: true });
  const tunnel = (await admin.ask("GET /admin/servers/interfaces")).find(({ serverId }) => serverId !== exitId);
  place = { serverId: tunnel?.serverId ?? "", id: tunnel?.id ?? "" };
  await change({ routing: "server", ipv6: true });
});
afterAll(async () => {
  console.log((await near?.exit.attempt("ip", ["rule"]))?.stdout ?? "");
  await vps?.stop();
  await near?.exit.close();
});

test("a service leaves by the rented machine, everything else straight, with one file", async () => {
  const ips = [lab.TARGET_ADDRESS, lab.TARGET_ADDRESS_V6];
  const site = await admin.ask("POST /services", { body: { name: "Site", ips, exit: exitId } });
  const { member, user } = await invite(panel, admin, "anna");
  const { id } = await createConfig(member, "laptop");
  await member.ask("PUT /vpn/configs/{id}", { params: { id }, body: { services: [site.id] } });
  const file = await member.download(id);
  const tunnel = await lab.tunnelUp(vps.network, vps.network.clients[0]!, file);
  anna = { id: user.id, member, config: id, file, tunnel };
  await isAs(FAR, FAR, NEAR);
  const { links } = await admin.ask("GET /admin/exits");
  expect(links).toMatchObject([{ exitId, problems: [] }]);
  await lab.until("the link counts as up", async () => (await card())?.exitsDown.length === 0, MINUTE_MS);
  const check = await admin.ask("GET /admin/rules/check", { query: { userId: "anna", target: lab.TARGET_ADDRESS } });
  expect(check.exits).toMatchObject([{ exit: "server", server: "Хельсинки", service: "Site" }]);
});

test("what leaves by an exit and straight is counted to the byte, and a used up quota ends all of it", async () => {
  await countsAll(0, anna, (command) => near.exit.exec("sh", ["-c", command]));
});

/** `onEntry`: runs a command on the machine with the device's interface. */
async function countsAll(client: number, device: Counted, onEntry: (command: string) => Promise<string>) {
  const before = await seen(client);
  expect(new Set(before).size, "by an exit and straight").toBe(2);
  for (const place of [lab.TARGET_ADDRESS, OTHER])
    expect(
      (await lab.fetchFrom(vps.network.clients[client]!, `http://${place}/?bytes=400000`, 30))?.length,
    ).toBeGreaterThan(400_000);
  // A device that is up goes on sending.
  await device.tunnel.down();
  const key = publicKeyOf(parseConfig(device.file).privateKey!);
  const [, , rx, tx] =
    (await onEntry("wg show all transfer"))
      .split("\n")
      .map((line) => line.split("\t"))
      .find(([, peer]) => peer === key) ?? [];
  expect(Number(tx)).toBeGreaterThan(800_000);
  const shown = async () => {
    const params = { id: device.config };
    const { dataReceived, dataSent } = await device.member.ask("GET /vpn/configs/{id}/stats", { params });
    return { dataReceived, dataSent };
  };
  await expect
    .poll(shown, { timeout: MINUTE_MS, interval: 500 })
    .toEqual({ dataReceived: Number(tx), dataSent: Number(rx) });
  device.tunnel = await lab.tunnelUp(vps.network, vps.network.clients[client]!, device.file);
  await clientIsAs(client, ...before);
  const allow = (quotaBytes: number | null) =>
    admin.ask("PUT /users/{id}", { params: { id: device.id }, body: { quotaBytes } });
  await allow(500_000);
  await clientIsAs(client, null, null, null);
  await allow(null);
  await clientIsAs(client, ...before);
}

test("while it is cut off it is waited for, the card says so, and the other choice is in force at once", async () => {
  await turn("down");
  await isAs(null, null, NEAR);
  await lab.until("the card says so", async () => (await card())?.exitsDown.length === 1, MINUTE_MS);
  expect(await card()).toMatchObject({ exitsDown: [{ server: "Хельсинки", instead: "wait", other: null }] });
  expect(await seen()).toEqual([null, null, NEAR]);
  await change({ exitDown: "direct" });
  await isAs(NEAR, NEAR, NEAR);
  await turn("up");
  await isAs(FAR, FAR, NEAR);
});

test("an exit that goes is noticed within a minute, and so is its return", async () => {
  await lab.until("up", async () => (await card())?.exitsDown.length === 0, MINUTE_MS);
  await turn("down");
  await isAs(NEAR, NEAR, NEAR);
  await turn("up");
  await isAs(FAR, FAR, NEAR);
});

test("the panel's restart and end change nothing for members", async () => {
  await panel.end("SIGKILL");
  expect(await seen()).toEqual([FAR, FAR, NEAR]);
  await panel.start();
  await isAs(FAR, FAR, NEAR);
});

test("the rented machine is an entry as well, over SSH, and the panel's own its exit: by WireGuard, then by AmneziaWG", async () => {
  const own = (await admin.ask("GET /admin/servers/interfaces")).find(({ serverId }) => serverId === exitId);
  const there = { serverId: exitId, id: own?.id ?? "" };
  await change({ routing: "server", restExit: place.serverId, ipv6: true }, there);
  const { member: boris, user } = await invite(panel, admin, "boris");
  const input = { ...(await configInputOf(boris)), interfaceId: there.id, name: "phone" };
  const { id } = await boris.ask("POST /vpn/configs", { body: input });
  // His service is all traffic, straight: he chooses none of it.
  const [site] = (await boris.ask("GET /services")).filter(({ name }) => name === "Site");
  await admin.ask("PUT /services/{id}", { params: { id: site?.id ?? "" }, body: { exit: place.serverId } });
  await boris.ask("PUT /vpn/configs/{id}", { params: { id }, body: { services: [site?.id ?? ""] } });
  const file = await boris.download(id);
  const tunnel = await lab.tunnelUp(vps.network, vps.network.clients[1]!, file);
  await clientIsAs(1, NEAR, NEAR, NEAR);
  const engines = () => vps.exec("ls /run/amneziawg 2>/dev/null || true");
  expect(await engines()).not.toContain("exit");
  await change({ exitLink: "amneziawg" }, there);
  await lab.until("the link is AmneziaWG's", async () => /^exit\d+\.sock$/m.test(await engines()), MINUTE_MS);
  await clientIsAs(1, NEAR, NEAR, NEAR);
  const { links } = await admin.ask("GET /admin/exits");
  expect(links.find(({ entryId }) => entryId === exitId)).toMatchObject({ exitId: place.serverId, problems: [] });
  await admin.ask("PUT /services/{id}", { params: { id: site?.id ?? "" }, body: { exit: exitId } });
  // To its own entry a server is no other exit: straight.
  await clientIsAs(1, FAR, FAR, NEAR);
  await isAs(FAR, FAR, NEAR);
  const exitOf = async (target: string) =>
    (await admin.ask("GET /admin/rules/check", { query: { userId: "boris", target } })).exits;
  expect(await exitOf(lab.TARGET_ADDRESS)).toMatchObject([{ exit: "direct", service: "Site" }]);
  await lab.until("its link counts as up", async () => (await exitOf(OTHER))[0]?.link === "up", MINUTE_MS);
  await countsAll(1, { id: user.id, member: boris, config: id, file, tunnel }, vps.exec);
});

test("an exit that lost its power serves again", async () => {
  await vps.reboot();
  // Its new cable to the target has only the target's first address.
  await vps.network.target.exec("ip", ["address", "add", `${OTHER}/24`, "dev", "eth0"]);
  await isAs(FAR, FAR, NEAR);
});
