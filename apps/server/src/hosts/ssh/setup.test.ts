import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from "vitest";

const SETUP = new URL("setup.sh", import.meta.url).pathname;
const RUN = "0b9f4a53-4d3c-4a0e-9f6e-3f6c3b8d1e2f";

let folder: string;

const program = (name: string, script: string) =>
  writeFileSync(join(folder, "bin", name), `#!/bin/bash\n${script}\n`, { mode: 0o755 });
const setup = (args: string) => spawnSync(join(folder, "setup"), args.split(" "), { encoding: "utf8" });
/** The same where a file can be made and no byte be written to it, as on a full disk. */
const setupWithoutRoom = (args: string) => {
  program("df", "echo 'Filesystem 1024-blocks Used Available Capacity Mounted on'; echo '/dev/vda 9 9 0 100% /'");
  const script = `trap '' XFSZ; ulimit -f 0; exec ${folder}/setup ${args}`;
  return spawnSync("bash", ["-c", script], { encoding: "utf8" });
};
/** The machine's one tunnel serves these devices. */
const serves = (...devices: string[]) => {
  const peers = devices.map((device) => `[Peer]\\nPublicKey = ${device}\\nEndpoint = 198.51.100.11:1\\n`).join("");
  program("wg", `printf '[Interface]\\nListenPort = 51820\\n${peers}'`);
};
const kept = () => {
  const at = join(folder, "state/tunnels");
  return Object.fromEntries(readdirSync(at).map((name) => [name, readFileSync(join(at, name), "utf8")]));
};

/** The script itself, on a machine whose state and tunnel are this folder's. */
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "krug-setup-"));
  mkdirSync(join(folder, "bin"));
  const text = readFileSync(SETUP, "utf8")
    .replace("STATE=/var/lib/krug", `STATE=${folder}/state`)
    .replace("export PATH=", `export PATH=${folder}/bin:`)
    .replaceAll("/sys/class/net", `${folder}/net`)
    .replaceAll("/proc/sys/net", `${folder}/settings`)
    .replace("/run/wireguard", `${folder}/run`)
    .replace("SOCKETS=/run/amneziawg", `SOCKETS=${folder}/sockets`)
    .replace("ENGINE=$LIBRARY/amneziawg-go", `ENGINE=${folder}/bin/engine`);
  writeFileSync(join(folder, "setup"), text, { mode: 0o755 });
  mkdirSync(join(folder, "net/wg0"), { recursive: true });
  writeFileSync(join(folder, "net/wg0/mtu"), "1420\n");
  program("ip", `[ "$*" != '-4 rule show' ] || echo '0: from all fwmark 0/0x20000000 iif wg0 blackhole'`);
  program("nft", "echo 'table inet krug {'; echo '}'");
});
afterEach(() => rmSync(folder, { recursive: true }));

describe.skipIf(process.platform !== "linux")("where the disk is full", () => {
  test("what was kept of the tunnels for a reboot stays, and the failure is told", () => {
    serves("first");
    expect(setup("keep").status).toBe(0);
    const before = kept();
    expect(before["wg0.conf"]).toBe("[Interface]\nListenPort = 51820\n[Peer]\nPublicKey = first\n");
    serves("first", "second");
    expect(setupWithoutRoom("keep").status).toBe(1);
    expect(kept()).toEqual(before);
    expect(setup("keep").status).toBe(0);
    expect(kept()["wg0.conf"]).toContain("second");
  });

  test("a step that cannot keep its own words ends by that, and is not called interrupted", () => {
    expect(setupWithoutRoom(`run ${RUN} 1 docker 1`).stdout).toBe("#krug fail no_space 0 MB\n");
  });
});

describe.skipIf(process.platform !== "linux")("a tunnel of AmneziaWG", () => {
  const FRESH = "listen_port=4444\nh1=1\nh2=2\njunk=0\n";
  const STATE = `private_key=ab\nlisten_port=51820\nh1=7\nh2=2\njunk=0\nheader_protection_key=cd\n`;
  const PEER =
    "public_key=01\nendpoint=198.51.100.11:1\nlast_handshake_time_sec=5\nrx_bytes=9\nallowed_ip=10.8.0.2/32\n";

  /** Its engine says this of itself, and notes what it is told. */
  async function serve(said: string) {
    mkdirSync(join(folder, "sockets"), { recursive: true });
    const told: string[] = [];
    const server = createServer((socket) =>
      socket.on("data", (piece) => {
        const question = piece.toString();
        if (question !== "get=1\n\n") told.push(question);
        socket.write(question === "get=1\n\n" ? `${said}errno=0\n\n` : "errno=0\n\n");
      }),
    ).listen(join(folder, "sockets/wg0.sock"));
    await once(server, "listening");
    onTestFinished(() => void server.close());
    return told;
  }
  /** Apart from this process, which is its engine. */
  const setupBeside = (args: string) =>
    new Promise<number | null>((ended) => spawn(join(folder, "setup"), args.split(" ")).once("exit", ended));

  test("is written down with its parameters, for root alone, without what happened to it", async () => {
    await serve(STATE + PEER);
    expect(await setupBeside("keep")).toBe(0);
    expect(kept()["wg0.engine"]).toBe(`${STATE}public_key=01\nallowed_ip=10.8.0.2/32\n`);
    expect(kept()).not.toHaveProperty("wg0.conf");
    expect(statSync(join(folder, "state/tunnels/wg0.engine")).mode & 0o777).toBe(0o600);
  });

  test("stays written down while its engine is gone", async () => {
    program("wg", "exit 1");
    mkdirSync(join(folder, "state/tunnels"), { recursive: true });
    for (const [kind, text] of Object.entries({ engine: STATE, mtu: "1280\n", addresses: "10.8.0.1/24\n" }))
      writeFileSync(join(folder, "state/tunnels", `wg0.${kind}`), text);
    expect(await setupBeside("keep")).toBe(0);
    expect(kept()).toMatchObject({ "wg0.engine": STATE, "wg0.mtu": "1280\n" });
  });

  test("is told, when it is made again, what a new one has not by itself", async () => {
    await serve(STATE + PEER);
    expect(await setupBeside("keep")).toBe(0);
    rmSync(join(folder, "sockets"), { recursive: true });
    const told = await serve(FRESH);
    rmSync(join(folder, "net/wg0"), { recursive: true });
    program("engine", `echo "$LOG_LEVEL $*" > ${folder}/started`);
    expect(await setupBeside("restore")).toBe(0);
    expect(readFileSync(join(folder, "started"), "utf8")).toBe("error --foreground wg0\n");
    expect(told).toEqual([
      "set=1\nprivate_key=ab\nlisten_port=51820\nh1=7\nheader_protection_key=cd\npublic_key=01\nallowed_ip=10.8.0.2/32\n\n",
    ]);
  });
});

test.skipIf(process.platform !== "linux")("a try is not cleared away as an old one by a clock that went back", () => {
  const runs = join(folder, "state/runs");
  for (let at = 0; at < 12; at += 1) {
    mkdirSync(join(runs, `earlier-${at}`), { recursive: true });
    utimesSync(join(runs, `earlier-${at}`), Date.now() / 1_000 + 1_000, Date.now() / 1_000 + 1_000 + at);
  }
  expect(setup(`run ${RUN} 1 docker 1`).stdout).toMatch(/^#krug stage preflight\n(.*\n)*#krug fail (?!interrupted)/);
  expect(readdirSync(runs)).toHaveLength(10);
  expect(readdirSync(runs)).toContain("earlier-11");
});
