import { parseConfig } from "@krug/wireguard/config-text";
import { publicKeyOf } from "@krug/wireguard/keys";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startKernelHost } from "./kernel-host.ts";
import * as lab from "./network.ts";
import { createConfig, invite, type LabPanel, setUpAdmin, startPanel, type Visitor } from "./panel.ts";
import { doStep, linesOf, type StepCall } from "./set-up.ts";
import { isNear, transferSpeed } from "./transfer-speed.ts";
import type { Vps } from "./vps.ts";

const PASSWORD = "root's own password";
const TARGET = `http://${lab.TARGET_ADDRESS}/`;
/** A device whose peer is back starts a handshake 15 s after its last unanswered packet, then every 5 s. */
const DEVICE_PATIENCE_MS = 60_000;
const PANEL_PATIENCE_MS = 60_000;
const YEAR_S = 365 * 24 * 60 * 60;
/** Well below what the emulated processor encrypts. */
const LIMIT_MBIT = 2;
const LIMITED_BYTES = 500_000;
const IN_FORCE_WITHIN_MS = 90_000;
const PLACES = [lab.TARGET_ADDRESS, `[${lab.TARGET_ADDRESS_V6}]`];
/** Below what set-up calls too little. */
const MEGABYTES = 208;

/** What only its own kernel shows: WireGuard's module, a reboot, and the machine's own clock, memory and disk. */
describe("a machine in trouble that becomes a server", () => {
  let vps: Vps;
  let panel: LabPanel;
  let admin: Visitor;
  let token: string;
  let anna: Visitor;
  let annaId: string;
  let id: string;
  let configId: string;
  let file: string;
  let tunnel: lab.Tunnel;

  const client = () => vps.network.clients[0]!;
  const step = (name: StepCall) => doStep(admin, id, name);
  const leaveFree = (megabytes: number) =>
    vps.exec(
      `rm -f /filler*; sync; fallocate -l $(($(df -Pm / | awk 'NR == 2 { print $4 }') - ${megabytes}))M /filler`,
    );
  /** Also fills the blocks reserved for root. Zeros take the last blocks, which must be requested one by one. */
  const fillDisk = () =>
    vps.exec(
      "rm -f /filler*; sync; fallocate -l $(($(stat -f -c '%f * %S' /) - 8 * 1024 * 1024)) /filler; cat /dev/zero > /filler-rest 2> /dev/null; true",
    );
  const emptyDisk = () => vps.exec("rm -f /filler*");
  const setClock = (offBySeconds: number) =>
    vps.exec(`date -s @${Math.floor(Date.now() / 1_000) + offBySeconds} > /dev/null`);
  const keyOf = (text: string) => publicKeyOf(parseConfig(text).privateKey!);
  const tunnelFiles = () => vps.exec("cat /var/lib/krug/tunnels/*.conf 2>/dev/null; true");
  const reaches = async () => (await lab.fetchFrom(client(), TARGET, 3)) !== null;
  const connects = () => lab.until("the device reaches the target", reaches, DEVICE_PATIENCE_MS);
  const connect = async () => {
    tunnel = await lab.tunnelUp(vps.network, client(), file);
    await connects();
  };
  const receive = async (bytes: number) =>
    expect((await lab.fetchFrom(client(), `${TARGET}?bytes=${bytes}`, 30))?.length).toBeGreaterThan(bytes);
  /** The device's bytes by the kernel's own counters. */
  const counted = async () => {
    const lines = (await vps.exec("wg show wg0 transfer")).split("\n").map((line) => line.split("\t"));
    const [, rx, tx] = lines.find(([key]) => key === keyOf(file)) ?? [];
    return { dataReceived: Number(tx), dataSent: Number(rx) };
  };
  const shown = async () => {
    const { dataReceived, dataSent } = await anna.ask("GET /vpn/configs/{id}/stats", { params: { id: configId } });
    return { dataReceived, dataSent };
  };
  const panelShows = (bytes: Awaited<ReturnType<typeof counted>>) =>
    expect.poll(shown, { timeout: PANEL_PATIENCE_MS, interval: 500 }).toEqual(bytes);

  beforeAll(async () => {
    vps = await startKernelHost({ password: PASSWORD, megabytes: MEGABYTES });
    [panel] = await Promise.all([
      startPanel(vps.network, vps.network.internet, { env: { LOCAL_SERVER: "off" } }),
      lab.startServices(vps.network.target, { tcp: [80] }),
    ]);
    ({ admin, token } = await setUpAdmin(panel));
  });
  afterAll(() => vps?.stop());

  test("a full disk and a wrong clock are reported by name, and nothing is installed", async () => {
    const credentials = { host: lab.HOST_ADDRESS, port: 22, username: "root", password: PASSWORD };
    ({ id } = await admin.ask("POST /admin/servers", { body: { name: "Осло", tunnelsIn: "system", credentials } }));
    await fillDisk();
    expect
      .soft(await step("install-docker"), "not a byte is free")
      .toMatchObject({ success: false, failure: "no_space" });
    await leaveFree(100);
    await setClock(-3 * YEAR_S);
    const year = new Date(Date.now() - 3 * YEAR_S * 1_000).getUTCFullYear();
    expect.soft(await step("install-docker")).toMatchObject({
      success: false,
      failure: "wrong_clock",
      detail: expect.stringContaining(`${year}-`),
    });
    await setClock(2 * 24 * 60 * 60);
    expect.soft(await step("install-docker")).toMatchObject({ success: false, failure: "wrong_clock" });
    await setClock(0);
    expect.soft(await step("install-docker")).toMatchObject({ success: false, failure: "no_space" });
    expect(await vps.exec("command -v wg nft || echo none")).toBe("none\n");
    // Not even the panel's key.
    const ours = "/usr/local/lib/krug /var/lib/krug /root/.ssh/authorized_keys";
    expect(await vps.exec(`ls -d ${ours} 2>/dev/null; systemctl is-system-running`)).toBe("running\n");
  });

  test("once that is fixed it becomes a server with its kernel's own WireGuard, without Docker", async () => {
    await emptyDisk();
    expect(await step("install-docker")).toMatchObject({ success: true });
    expect(await linesOf(panel, token, id, "docker_unneeded")).toContainEqual(
      expect.stringContaining("note little_memory"),
    );
    await fillDisk();
    expect.soft(await step("install-wireguard")).toMatchObject({ success: false, failure: "no_space" });
    await emptyDisk();
    expect(await step("install-wireguard")).toMatchObject({ success: true, detail: null });
    expect(await linesOf(panel, token, id, "#krug stage boot")).toContain("#krug note kernel_tunnels");
    expect(await step("configure-wireguard")).toMatchObject({ success: true });
    const [made] = await admin.ask("GET /admin/servers/interfaces");
    const params = { serverId: made!.serverId, id: made!.id };
    await admin.ask("PUT /admin/wireguard/{serverId}/interfaces/{id}", { params, body: { ipv6: true } });
    expect(await vps.exec("ip -d link show wg0")).toMatch(/^ +wireguard/m);
    expect(await vps.exec("ls -d /sys/module/wireguard; command -v docker wireguard-go; true")).toBe(
      "/sys/module/wireguard\n",
    );
  });

  test("serves a member with only the file, and the panel shows the kernel's own count of bytes", async () => {
    ({ member: anna } = await invite(panel, admin, "anna"));
    ({ id: annaId } = await anna.ask("GET /auth/me"));
    const config = await createConfig(anna, "laptop");
    expect(config.state).toBe("applied");
    configId = config.id;
    file = await anna.download(configId);
    expect(await reaches()).toBe(false);
    await connect();
    expect(await lab.fetchFrom(client(), TARGET)).toContain(lab.HOST_SECOND_ADDRESS);
    await receive(400_000);
    await tunnel.down();
    await panelShows(await counted());
  });

  test("serves again after a reboot without the panel, which then adds the new bytes to the earlier ones", async () => {
    const known = await counted();
    await panel.end("SIGTERM");
    // Writing takes this machine seconds and is limited to a twentieth of the time. A stopping panel does not wait for it.
    await lab.until("the device's peer is kept", async () => (await tunnelFiles()).includes(keyOf(file)), 60_000);
    await connect();
    await receive(100_000);
    expect((await counted()).dataReceived).toBeGreaterThan(known.dataReceived + 100_000);
    await vps.reboot();
    expect(await lab.devicesOn(vps.network.host, "wg0")).toEqual([keyOf(file)]);
    await connects();
    expect((await counted()).dataReceived, "the kernel counts from zero").toBeLessThan(known.dataReceived);
    await receive(500_000);
    await tunnel.down();
    const since = await counted();
    expect(since.dataReceived, "no counter is smaller than the panel knew it").toBeGreaterThan(known.dataReceived);
    const together = (now: typeof since) => ({
      dataReceived: known.dataReceived + now.dataReceived,
      dataSent: known.dataSent + now.dataSent,
    });
    await panel.start();
    await panelShows(together(since));
    await connect();
    await receive(50_000);
    await tunnel.down();
    await panelShows(together(await counted()));
  });

  test("a disk that fills up later loses nothing that the next reboot needs", async () => {
    const before = await tunnelFiles();
    expect(before).toContain(keyOf(file));
    await fillDisk();
    const second = await createConfig(anna, "phone");
    expect(second.state).toBe("applied");
    const phone = keyOf(await anna.download(second.id));
    expect(await vps.exec("/usr/local/lib/krug/setup keep 2> /dev/null || echo failed")).toBe("failed\n");
    expect(await tunnelFiles()).toBe(before);
    await emptyDisk();
    await panel.end("SIGTERM");
    await lab.until("what changed meanwhile is kept too", async () => (await tunnelFiles()).includes(phone), 60_000);
  });

  test("holds a member's speed limit, in each direction and family, within 90 s", async () => {
    const speedOf = (place: string, way: "down" | "up") => transferSpeed(client(), place, way, LIMITED_BYTES);
    const ways = PLACES.flatMap((place) => (["down", "up"] as const).map((way) => ({ place, way })));
    const limit = (speedMbit: number | null) =>
      admin.ask("PUT /users/{id}", { params: { id: annaId }, body: { speedMbit } });
    await panel.start();
    await connect();
    for (const { place, way } of ways) {
      const unlimited = () => speedOf(place, way);
      await lab.until(`${place} ${way} without a limit`, async () => (await unlimited()) > 1.5 * LIMIT_MBIT, 60_000);
    }
    await limit(LIMIT_MBIT);
    const isIn = async () => (await speedOf(PLACES[0]!, "down")) < 1.1 * LIMIT_MBIT;
    await lab.until("the limit is in force", isIn, IN_FORCE_WITHIN_MS);
    for (const { place, way } of ways) await isNear(LIMIT_MBIT, () => speedOf(place, way));
    await limit(null);
    const isOut = async () => (await vps.exec("ip link show dev krug-speed 2>&1; true")).includes("does not exist");
    await lab.until("no limit leaves no trace", isOut, IN_FORCE_WITHIN_MS);
    await tunnel.down();
  });
});
