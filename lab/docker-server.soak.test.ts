import { parseConfig } from "@krug/wireguard/config-text";
import { publicKeyOf } from "@krug/wireguard/keys";
import { afterAll, beforeAll, expect, test } from "vitest";
import * as lab from "./network.ts";
import { createConfig, invite, type LabPanel, setUpAdmin, startPanel, type Visitor } from "./panel.ts";
import { doStep, STEPS } from "./set-up.ts";
import { startVps, type Vps } from "./vps.ts";

/* Events on a server with its tunnels in a container: reboots, ends of Docker, moves between system and container, and its removal. */
const PASSWORD = "root's own password";
const PATIENCE_MS = 90_000;
const CONTAINER = "krug-tunnels";

let vps: Vps;
let panel: LabPanel;
let admin: Visitor;
let anna: Visitor;
let id: string;
let file: string;
let tunnel: lab.Tunnel;
let before: string;

const client = () => vps.network.clients[0]!;
const reaches = () => lab.fetchFrom(client(), `http://${lab.TARGET_ADDRESS}/`);
const connects = () => lab.until("the device reaches the target", reaches, PATIENCE_MS);
const isRunning = async () =>
  (await vps.exec(`docker inspect --format '{{.State.Running}}' ${CONTAINER} 2>/dev/null || true`)) === "true\n";
const choose = (tunnelsIn: "docker" | "system") =>
  admin.ask("PUT /admin/servers/{id}/setup", { params: { id }, body: { tunnelsIn } });
const walk = async () => {
  for (const step of STEPS) expect(await doStep(admin, id, step), step).toMatchObject({ success: true });
};
/** Everything on the machine that the panel may have put there. */
const traces = () =>
  vps.exec(
    "find /usr/local/lib /var/lib/krug /etc/systemd/system /etc/sudoers.d /etc/docker /root/.ssh ! -type d 2>/dev/null | sort; dpkg -l | awk '{ print $1, $2 }'; nft list tables 2>/dev/null; ls -d /run/amneziawg /run/wireguard /run/krug /var/lib/docker/* 2>/dev/null; ip -o link | grep -c .; ip rule; true",
  );

beforeAll(async () => {
  vps = await startVps({ password: PASSWORD });
  before = await traces();
  panel = await startPanel(vps.network, vps.network.internet, { env: { LOCAL_SERVER: "off" } });
  await lab.startServices(vps.network.target, { tcp: [80] });
  ({ admin } = await setUpAdmin(panel));
  const credentials = { host: lab.HOST_ADDRESS, port: 22, username: "root", password: PASSWORD };
  ({ id } = await admin.ask("POST /admin/servers", { body: { name: "Осло", credentials } }));
});
afterAll(() => vps?.stop());

test("a kernel without overlay, and somebody else's container with its name, are reported by name", async () => {
  await vps.exec("mount --bind /dev/null /proc/filesystems");
  expect(await doStep(admin, id, "install-docker")).toMatchObject({ success: false, failure: "no_overlay" });
  await vps.exec("umount /proc/filesystems");
  expect(await doStep(admin, id, "install-docker")).toMatchObject({ success: true });
  await vps.exec(`tar -C / -c etc/hostname | docker import - other && docker create --name ${CONTAINER} other sh`);
  expect(await doStep(admin, id, "install-wireguard")).toMatchObject({
    failure: "foreign_container",
    detail: CONTAINER,
  });
  await vps.exec(`docker rm ${CONTAINER} && docker image rm other`);
  await vps.exec("systemctl stop docker.socket docker");
  expect(await doStep(admin, id, "install-wireguard")).toMatchObject({ failure: "docker_silent" });
  await vps.exec("systemctl start docker.socket docker");
});

test("a step killed while it built the image can be repeated, and works", async () => {
  const step = doStep(admin, id, "install-wireguard");
  await lab.until(
    "the image is made",
    async () => (await vps.exec("pgrep -f '[d]ocker import' || true")) !== "",
    60_000,
  );
  await vps.exec("pkill -KILL -f '[k]rug/setup do'; pkill -KILL -f '[d]ocker import'; true");
  expect(await step).toMatchObject({ success: false, failure: "interrupted" });
  for (const name of STEPS.slice(1)) expect(await doStep(admin, id, name), name).toMatchObject({ success: true });
  ({ member: anna } = await invite(panel, admin, "anna"));
  const config = await createConfig(anna, "laptop");
  file = await anna.download(config.id);
  tunnel = await lab.tunnelUp(vps.network, client(), file);
  await connects();
});

test("the panel restores a removed container within a minute", async () => {
  await vps.exec(`docker rm --force ${CONTAINER}`);
  await lab.until("it runs", isRunning, 60_000);
  await connects();
});

test("stopping Docker's daemon ends no tunnel", async () => {
  const key = publicKeyOf(parseConfig(file).privateKey!);
  await vps.exec("systemctl kill --signal KILL docker");
  await lab.until(
    "it answers again",
    async () => vps.exec("docker version >/dev/null 2>&1 && echo yes || true"),
    PATIENCE_MS,
  );
  expect(await isRunning()).toBe(true);
  expect(await vps.exec(`docker exec ${CONTAINER} wg show wg0 peers`)).toContain(key);
  await connects();
});

test("after a reboot it serves without the panel", async () => {
  const isKept = async () =>
    (await vps.exec("cat /var/lib/krug/tunnels/*.conf 2>/dev/null || true")).includes("[Peer]");
  await lab.until("its tunnel is kept", isKept, 30_000);
  await panel.end("SIGTERM");
  await vps.reboot();
  await lab.until("its tunnel is up", async () => (await vps.exec("ip -o link")).includes("wg0"), PATIENCE_MS);
  await tunnel.again();
  await connects();
  expect(await vps.exec("nft list table inet krug | head -n 1")).toBe("table inet krug {\n");
  await panel.start();
});

test("it moves into the system and back, and the member's file stays the same", async () => {
  for (const [place, isThere] of [
    ["system", false],
    ["docker", true],
  ] as const) {
    await choose(place);
    await walk();
    expect((await admin.ask("GET /admin/servers"))[0]).toMatchObject({ tunnelsIn: place, needsSetup: false });
    expect(await isRunning(), place).toBe(isThere);
    await connects();
    const [config] = await anna.ask("GET /vpn/configs");
    expect(await anna.download(config!.id)).toBe(file);
  }
});

test("it is left without a trace", async () => {
  const [config] = await anna.ask("GET /vpn/configs");
  await anna.ask("DELETE /vpn/configs/{id}", { params: { id: config!.id } });
  await tunnel.down();
  expect(await admin.ask("POST /admin/servers/{id}/leave", { params: { id } })).toMatchObject({
    isClean: true,
    removed: expect.arrayContaining(["container", "docker.io", "containerd"]),
    kept: [],
    reason: null,
  });
  expect(await traces()).toBe(before);
});
