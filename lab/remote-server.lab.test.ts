import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { AMNEZIA_VERSIONS } from "@krug/wireguard/amneziawg";
import { parseConfig } from "@krug/wireguard/config-text";
import { publicKeyOf } from "@krug/wireguard/keys";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { OWN_ENGINE } from "../scripts/engine.mjs";
import { amneziaUp } from "./amnezia-client.ts";
import * as lab from "./network.ts";
import { configInputOf, createConfig, invite, type LabPanel, type Visitor } from "./panel.ts";
import { openRented, PASSWORD, pressThreeSteps, type Rented } from "./press-steps.ts";
import type { Vps } from "./vps.ts";

const TARGET = `http://${lab.TARGET_ADDRESS}/`;
/** The machine's names of the AmneziaWG interfaces, in order of creation. */
const HIDDEN = ["wg1", "wg2"];
/** A device whose peer is back starts a handshake 15 s after its last unanswered packet, then every 5 s. */
const DEVICE_PATIENCE_MS = 60_000;

/** A rented machine, from its password to its last trace, with a panel elsewhere. */
describe("an empty machine that is a server of the club's", () => {
  let rented: Rented;
  let vps: Vps;
  let panel: LabPanel;
  let admin: Visitor;
  let anna: Visitor;
  let id: string;
  let configId: string;
  let file: string;
  let tunnel: lab.Tunnel;
  let before: string;
  /** The member's devices use AmneziaWG. */
  let boris: Visitor;
  const hasEngine = existsSync(OWN_ENGINE);

  const client = (place = 0) => vps.network.clients[place]!;
  const reaches = async (place = 0) => (await lab.fetchFrom(client(place), TARGET)) !== null;
  const connects = (place = 0) => lab.until("the device reaches the target", () => reaches(place), DEVICE_PATIENCE_MS);
  /** From their engines: there is no Node on the machine. */
  const parametersOn = () =>
    Promise.all(
      HIDDEN.map(async (name) => {
        const ask = `socket(S,1,1,0);connect(S,pack_sockaddr_un("/run/amneziawg/${name}.sock"))||exit;syswrite S,"get=1\\n\\n";sysread S,$t,65536;print $t`;
        return (await vps.exec(`perl -MSocket -e '${ask}'`)).split(/^public_key=/m)[0] ?? "";
      }),
    );
  const server = async () => (await admin.ask("GET /admin/servers")).find((one) => one.id === id);
  const isConnected = async () => (await server())?.status === "connected";
  const keysThere = () => lab.devicesOn(vps.network.host, "wg0");
  const keyOf = (text: string) => publicKeyOf(parseConfig(text).privateKey!);
  /** The bytes that the device received, by the panel and by the tunnel's own counter. */
  const shown = async () => (await anna.ask("GET /vpn/configs/{id}/stats", { params: { id: configId } })).dataReceived;
  const counted = async () => {
    const lines = (await vps.exec("wg show wg0 transfer")).split("\n").map((line) => line.split("\t"));
    return Number(lines.find(([key]) => key === keyOf(file))?.[2]);
  };
  /** Everything on the machine that the panel may have put there. */
  const traces = () =>
    vps.exec(
      "find /usr/local/lib /var/lib/krug /etc/systemd/system /etc/sudoers.d /root/.ssh -newer /etc/machine-id ! -type d | sort; cat /root/.ssh/authorized_keys 2>/dev/null; dpkg-query -W 'wireguard*' nftables 2>/dev/null; nft list tables 2>/dev/null; ls -d /run/amneziawg 2>/dev/null; pgrep -x engine; ip -o link | grep wg; ip rule; true",
    );

  beforeAll(async () => {
    rented = await openRented(3);
    ({ vps, panel } = rented);
    before = await traces();
  });
  afterAll(() => rented?.close());

  test("is added by its address and password on the page, and set up by three presses", async () => {
    ({ admin, id } = await pressThreeSteps(rented, "Без Docker"));
    expect(await server()).toMatchObject({
      isSetupComplete: true,
      isMain: true,
      status: "connected",
      system: "Debian GNU/Linux 12 (bookworm)",
      credentials: { hasPassword: false },
    });
    expect(panel.output()).not.toContain(PASSWORD);
  });

  test("serves a member with only the file", async () => {
    ({ member: anna } = await invite(panel, admin, "anna"));
    const config = await createConfig(anna, "laptop");
    expect(config.state).toBe("applied");
    configId = config.id;
    file = await anna.download(configId);
    expect(await keysThere()).toEqual([keyOf(file)]);
    expect(await reaches()).toBe(false);
    tunnel = await lab.tunnelUp(vps.network, client(), file);
    await connects();
    expect(await lab.fetchFrom(client(), TARGET)).toContain(lab.HOST_SECOND_ADDRESS);
    await lab.until("the card shows the handshake", async () => {
      const [seen] = await anna.ask("GET /vpn/configs");
      return seen?.stats.lastHandshake;
    });
  });

  test.skipIf(!hasEngine)("serves both versions of AmneziaWG with the panel's engine", async () => {
    const sumThere = async () => (await vps.exec("sha256sum /usr/local/lib/krug/engine")).split(" ")[0];
    const sum = createHash("sha256").update(readFileSync(OWN_ENGINE)).digest("hex");
    ({ member: boris } = await invite(panel, admin, "boris"));
    for (const [place, version] of AMNEZIA_VERSIONS.entries()) {
      const { interface: made } = await admin.ask("POST /admin/servers/{serverId}/create-interface", {
        params: { serverId: id },
        body: { amneziawg: { version, preset: "dns" } },
      });
      expect(made).toMatchObject({ interfaceName: HIDDEN[place], conflict: null });
      expect(await sumThere()).toBe(sum);
      await admin.ask("POST /admin/servers/interfaces/assign", { body: { userId: "boris", interfaceId: made.id } });
      const input = { ...(await configInputOf(boris)), interfaceId: made.id, name: `laptop-${place}` };
      const { id: configId } = await boris.ask("POST /vpn/configs", { body: input });
      await amneziaUp(client(1 + place), OWN_ENGINE, await boris.download(configId));
      await connects(1 + place);
    }
  });

  test("serves again after a power cut, without a panel, and all bytes count", async () => {
    const written = () => vps.exec("cat /var/lib/krug/tunnels/* 2>/dev/null || true");
    // A change is written a second later at the earliest, and many at once.
    await lab.until("the device's peer is kept", async () => (await written()).includes(keyOf(file)), 30_000);
    expect(await written(), "where devices connect from is not kept").not.toContain("Endpoint");
    const parameters = await parametersOn();
    if (hasEngine)
      expect(parameters).toEqual([expect.stringContaining("h1="), expect.stringContaining("header_protection_key=")]);
    const known = await shown();
    expect(known).toBeGreaterThan(0);
    await panel.end("SIGTERM");
    await vps.exec("pkill -KILL -f '[-]-type wireguard'; sleep 0.5; /usr/local/lib/krug/setup keep");
    expect(await written(), "what a tunnel was stays kept when its program has died").toContain(keyOf(file));
    await vps.reboot();
    // SSH answers before systemd has started everything.
    await lab.until("its tunnel is up", async () => (await keysThere()).length > 0, DEVICE_PATIENCE_MS);
    expect(await keysThere()).toEqual([keyOf(file)]);
    await Promise.all([connects(), ...(hasEngine ? [connects(1), connects(2)] : [])]);
    expect(await parametersOn()).toEqual(parameters);
    await lab.fetchFrom(client(), `${TARGET}?bytes=${2 * known}`, 30);
    const since = await counted();
    expect(since, "the counter is not smaller than the panel knew it").toBeGreaterThan(2 * known);
    await panel.start();
    await lab.until("the panel sees it", isConnected, 30_000);
    await lab.until("all is counted", async () => (await shown()) >= known + since, 30_000);
    expect(await shown(), "and nothing twice").toBeLessThanOrEqual(known + (await counted()));
  });

  test("applies the changes made during its absence within 10 s of its return", async () => {
    const first = (await anna.ask("GET /vpn/configs"))[0]!;
    await vps.exec("systemctl stop ssh.socket ssh; pkill -KILL sshd; true");
    const second = await createConfig(anna, "phone");
    expect(second.state).toBe("pending");
    await anna.ask("DELETE /vpn/configs/{id}", { params: { id: first.id } });
    expect(await keysThere()).toEqual([keyOf(file)]);
    const phone = await anna.download(second.id);
    await vps.exec("systemctl start ssh");
    const since = Date.now();
    await lab.until("it agrees", async () => String(await keysThere()) === String([keyOf(phone)]), 30_000);
    expect(Date.now() - since).toBeLessThan(10_000);
    await tunnel.down();
    tunnel = await lab.tunnelUp(vps.network, client(), phone);
    await connects();
  });

  test("is left without a trace", async () => {
    for (const member of [anna, ...(hasEngine ? [boris] : [])])
      for (const { id: configId } of await member.ask("GET /vpn/configs"))
        await member.ask("DELETE /vpn/configs/{id}", { params: { id: configId } });
    await tunnel.down();
    expect(await admin.ask("POST /admin/servers/{id}/leave", { params: { id } })).toMatchObject({
      isClean: true,
      kept: [],
      reason: null,
    });
    expect(await admin.ask("GET /admin/servers")).toEqual([]);
    expect(await traces()).toBe(before);
  });
});
