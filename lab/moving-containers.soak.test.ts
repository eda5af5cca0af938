import { parseConfig } from "@krug/wireguard/config-text";
import type { DesiredInterface } from "@krug/wireguard/interface";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { wgEasyDatabase } from "../apps/server/testing/wg-easy-database.ts";
import { ROOT } from "../scripts/command.mjs";
import { type Device, newDevice, newInterface } from "./club-wire.ts";
import * as lab from "./network.ts";
import { setUpAdmin, type Visitor, visitorsOf } from "./panel.ts";
import { reachLoopback, startVps, type Vps } from "./vps.ts";

/*
 * A rented server with systemd and Docker, where wg-easy or AmneziaVPN has served a club, and the panel now runs next to it. No image
 * registry is reachable: the containers have these programs' own files, ports, rights and way of starting a tunnel.
 */
const DEVICES = 60;
const TARGET = `http://${lab.TARGET_ADDRESS}/`;
/** A fresh panel's own interface has another. */
const MOVING = "10.9.0.0/24";
const DATA = "/var/lib/krug";
const QUICK = "WG_QUICK_USERSPACE_IMPLEMENTATION=wireguard-go";

let vps: Vps;
let admin: Visitor;
let panelOutput: () => string;

const krug = (...args: string[]) =>
  vps.network.host.attempt(process.execPath, [`${ROOT}apps/server/dist/cli.js`, "import", ...args], {
    env: {
      DATA_DIR: DATA,
      MACHINE_DIR: `${DATA}/machine`,
      LANG: "C",
      WG_QUICK_USERSPACE_IMPLEMENTATION: "wireguard-go",
    },
    timeoutMs: 240_000,
  });
const reaches = async () => (await lab.fetchFrom(vps.network.clients[0]!, TARGET)) !== null;
const served = (what: string) => lab.until(what, reaches, 60_000);
const moved = async () =>
  (await admin.ask("GET /admin/servers/interfaces")).find(({ subnet }) => subnet === MOVING) ?? null;
const state = async (name: string) =>
  (await vps.exec(`docker inspect --format '{{.State.Running}} {{.HostConfig.RestartPolicy.Name}}' ${name}`)).trim();
const day = () => new Date(Date.now() + 30 * 86_400_000).toISOString().slice(0, 10);
const quiet = (stderr: string) => stderr.replace(/^Database.*\n/, "");
/** Whole rounds of the panel, which removes what it takes for its own. */
async function rounds() {
  const [server] = await admin.ask("GET /admin/servers");
  for (const opensForwarding of [true, false])
    await admin.ask("PUT /admin/servers/{id}", { params: { id: server!.id }, body: { opensForwarding } });
}

beforeAll(async () => {
  vps = await startVps({ password: "root's own password", lent: [ROOT.replace(/\/$/, ""), process.execPath] });
  await lab.startServices(vps.network.target, { tcp: [80] });
  const packages = "docker.io iptables wireguard-tools wireguard-go nftables curl";
  await vps.exec(
    `apt-get -q update && DEBIAN_FRONTEND=noninteractive apt-get -q install --yes --no-install-recommends ${packages}`,
    { timeoutMs: 400_000 },
  );
  await vps.exec(`mkdir -p ${DATA} /srv/empty/etc && tar -C /srv/empty -c . | docker import - empty`);
  const env = { LOG_LEVEL: "info", SECURITY_GATE: "off", DATA_DIR: DATA, MACHINE_DIR: `${DATA}/machine`, PORT: "3001" };
  const started = await vps.network.host.start(process.execPath, [`${ROOT}apps/server/dist/main.js`], {
    env,
    cwd: DATA,
  });
  panelOutput = started.output;
  const url = await reachLoopback(vps, 3001);
  await lab.until("the panel serves", async () => (await fetch(`${url}/health`).catch(() => null))?.ok, 60_000);
  ({ admin } = await setUpAdmin({ ...visitorsOf(url), output: panelOutput }));
}, 900_000);
afterAll(() => vps?.stop());

/** A tunnel in a container, as `docker run` of the program's manual starts it. `files` by their paths in it. */
async function startContainer(
  name: string,
  {
    port,
    files,
    options = "",
    config,
  }: { port: number; files: Record<string, string | Buffer>; options?: string; config: string },
) {
  const folder = `/srv/${name}`;
  for (const [path, content] of Object.entries(files))
    await vps.exec(`mkdir -p "$(dirname ${folder}${path})" && base64 -d > ${folder}${path}`, {
      stdin: Buffer.from(content).toString("base64"),
    });
  const [top = ""] = Object.keys(files).map((path) => path.split("/").slice(0, 3).join("/"));
  const system = ["/usr", "/bin", "/sbin", "/lib", "/lib64", "/etc/alternatives"].map(
    (path) => `-v ${path}:${path}:ro`,
  );
  const script = `trap "wg-quick down ${config}; exit 0" TERM; wg-quick up ${config} || exit 1; sleep infinity & wait`;
  await vps.exec(
    `docker run -d --name ${name} --restart unless-stopped --cap-drop ALL --cap-add NET_ADMIN --cap-add DAC_OVERRIDE --cap-add NET_RAW \
--security-opt seccomp=unconfined --security-opt apparmor=unconfined --security-opt systempaths=unconfined --device /dev/net/tun \
--sysctl net.ipv4.ip_forward=1 -p ${port}:${port}/udp ${system.join(" ")} -v ${folder}${top}:${top} ${options} \
-e ${QUICK} -e PATH=/usr/sbin:/usr/bin:/sbin:/bin empty /bin/bash -c '${script}'`,
    { timeoutMs: 60_000 },
  );
}

const serverFile = (of: DesiredInterface, address: string, devices: readonly Device[]) =>
  `[Interface]\nPrivateKey = ${of.privateKey}\nAddress = ${address}\nListenPort = ${of.listenPort}\n` +
  `PostUp = iptables -t nat -A POSTROUTING -s ${address.replace(/\.\d+\//, ".0/")} -o eth0 -j MASQUERADE\nPostDown = iptables -t nat -F\n` +
  devices
    .map(
      ({ peer }) =>
        `\n[Peer]\nPublicKey = ${peer.publicKey}\nPresharedKey = ${peer.presharedKey}\nAllowedIPs = ${peer.allowedIps[0]}\n`,
    )
    .join("");

interface Program {
  container: string;
  port: number;
  config: string;
  options?: string;
  /** By their paths in the container. The last device is switched off, where the program can. */
  filesOf(old: DesiredInterface, devices: readonly Device[]): Record<string, string | Buffer>;
  /** How many it shows as switched off, and without their private keys. */
  shows: { off: number; keyless: number };
}

const nameOf = (at: number) => `device ${at + 1}`;
const isOn = (at: number) => at !== DEVICES - 1;

const PROGRAMS: Record<string, Program> = {
  "wg-easy 14": {
    container: "wg-easy",
    port: 51900,
    config: "/etc/wireguard/wg0.conf",
    options: "-e WG_PORT=51900 -e PASSWORD_HASH=secret",
    filesOf(old, devices) {
      const clients = Object.fromEntries(
        devices.map(({ peer, file, address }, at) => [
          `id-${at}`,
          {
            name: nameOf(at),
            address,
            privateKey: parseConfig(file).privateKey,
            publicKey: peer.publicKey,
            preSharedKey: peer.presharedKey,
            createdAt: "2025-01-01T00:00:00.000Z",
            updatedAt: "2025-01-01T00:00:00.000Z",
            enabled: isOn(at),
          },
        ]),
      );
      const server = { privateKey: old.privateKey, publicKey: old.publicKey, address: "10.9.0.1" };
      return {
        "/etc/wireguard/wg0.json": JSON.stringify({ server, clients }, null, 2),
        "/etc/wireguard/wg0.conf": serverFile(old, "10.9.0.1/24", devices.slice(0, -1)),
      };
    },
    shows: { off: 1, keyless: 0 },
  },
  "wg-easy 15": {
    container: "wg-easy",
    port: 51901,
    config: "/etc/wireguard/wg0.conf",
    options: "-e INSECURE=true",
    filesOf: (old, devices) => ({
      "/etc/wireguard/wg-easy.db": wgEasyDatabase(
        old.privateKey!,
        devices.map(({ peer, file, address }, at) => ({
          name: nameOf(at),
          address,
          publicKey: peer.publicKey,
          privateKey: parseConfig(file).privateKey ?? "",
          presharedKey: peer.presharedKey ?? "",
          enabled: isOn(at),
        })),
      ),
      "/etc/wireguard/wg0.conf": serverFile(old, "10.9.0.1/24", devices.slice(0, -1)),
    }),
    shows: { off: 1, keyless: 0 },
  },
  AmneziaVPN: {
    container: "amnezia-wireguard",
    port: 51902,
    config: "/opt/amnezia/wireguard/wg0.conf",
    filesOf: (old, devices) => ({
      "/opt/amnezia/wireguard/wg0.conf": serverFile(old, "10.9.0.0/24", devices),
      "/opt/amnezia/wireguard/clientsTable": JSON.stringify(
        devices.map(({ peer }, at) => ({ clientId: peer.publicKey, userData: { clientName: nameOf(at) } })),
      ),
    }),
    shows: { off: 0, keyless: DEVICES },
  },
};

describe.each(Object.entries(PROGRAMS))("%s with a club of 60 devices", (_, program) => {
  const { container, port } = program;
  const old = newInterface("wg0", port, "10.9.0");
  const devices = Array.from({ length: DEVICES }, (_, at) => newDevice(old, at + 2));
  const [ours] = devices as [Device];
  let tunnel: lab.Tunnel;

  beforeAll(async () => {
    const { config, options = "" } = program;
    await startContainer(container, { port, options, config, files: program.filesOf(old, devices) });
    tunnel = await lab.tunnelUp(vps.network, vps.network.clients[0]!, ours.file);
    await served("the device reaches the target through the container");
  });
  afterAll(async () => {
    await tunnel?.down();
    await vps.exec(`docker rm -f ${container}`);
  });

  test("it finds the container with all its devices, and changes nothing", async () => {
    const { stdout, stderr, exitCode } = await krug();
    expect([exitCode, quiet(stderr)]).toEqual([0, ""]);
    expect(stdout).toMatch(new RegExp(`^${container}: WireGuard, 10\\.9\\.0\\.0/24, ${port}/udp\n`));
    expect(stdout.match(/device \d+/g)).toHaveLength(DEVICES);
    expect([...stdout.matchAll(/\[off\]/g)]).toHaveLength(program.shows.off);
    expect([...stdout.matchAll(/\[key only on the device\]/g)]).toHaveLength(program.shows.keyless);
    expect(stdout + panelOutput()).not.toContain(old.privateKey);
    expect(await state(container)).toBe("true unless-stopped");
  });

  test("it takes the club over: the device comes back by itself with its same file", async () => {
    const { stdout, stderr, exitCode } = await krug(container, "--new-members", day(), "--yes");
    expect([exitCode, quiet(stderr)]).toEqual([0, ""]);
    expect(stdout.match(/\/password#user=device-/g)).toHaveLength(DEVICES);
    expect(await state(container)).toBe("false no");
    expect(await moved()).toMatchObject({ conflict: null, configCount: DEVICES, listenPort: port });
    await served("the device reaches the target through the panel's interface");
  });

  test("it goes back, and the panel lets the old program be", async () => {
    const { stdout, stderr, exitCode } = await krug("--back", "--yes");
    expect([exitCode, quiet(stderr)]).toEqual([0, ""]);
    expect(stdout).toContain(`${container} serves its devices again`);
    expect(await state(container)).toBe("true unless-stopped");
    expect(await moved()).toBeNull();
    await rounds();
    await served("the device reaches the target through the container again");
  });
});
