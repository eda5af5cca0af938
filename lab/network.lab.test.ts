import { spawn } from "node:child_process";
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { fileURLToPath, pathToFileURL } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";
import { newDevice, newInterface } from "./club-wire.ts";
import * as lab from "./network.ts";

let network: lab.LabNetwork;
beforeAll(async () => {
  network = await lab.makeNetwork();
});
afterAll(() => network?.close());

const isAlive = (pid: number) =>
  readFile(`/proc/${pid}/stat`, "utf8").then(
    (stat) => !stat.includes(") Z "),
    () => false,
  );

test("a relay connects the test to a port on a machine's loopback", async () => {
  await lab.startServices(network.host, { tcp: [3001] });
  const relay = await lab.relayTo(network, network.host, 3001);
  const bodies = await Promise.all([0, 1, 2].map(async () => (await fetch(`${relay.url}/?bytes=300000`)).text()));
  for (const body of bodies) expect(body.length).toBeGreaterThan(300_000);
  expect(bodies[0]).toContain("host sees ::ffff:127.0.0.1");
  await relay.close();
});

test("a client's file changes the client's resolver while it is up, and nobody else's", async () => {
  const [client] = network.clients;
  const ofThisMachine = await readFile("/etc/resolv.conf", "utf8");
  const before = await client!.exec("cat", ["/etc/resolv.conf"]);
  const tunnel = await lab.tunnelUp(network, client!, newDevice(newInterface("wg0", 51820), 2).file);
  expect(await client!.exec("cat", ["/etc/resolv.conf"])).toContain("nameserver 203.0.113.53");
  expect(await network.host.exec("cat", ["/etc/resolv.conf"])).toBe(before);
  await tunnel.down();
  expect(await client!.exec("cat", ["/etc/resolv.conf"])).toBe(before);
  expect(await readFile("/etc/resolv.conf", "utf8")).toBe(ofThisMachine);
});

test("a killed run leaves no process behind, and so no namespace and no interface", async () => {
  const tsx = pathToFileURL(createRequire(import.meta.url).resolve("tsx")).href;
  const module = JSON.stringify(fileURLToPath(new URL("./namespace.ts", import.meta.url)));
  const code = `const { makeNamespace } = await import(${module});
    const namespace = await makeNamespace("doomed");
    const daemon = await namespace.start("wireguard-go", ["--foreground", "wg0"]);
    console.log(namespace.pid, daemon.pid);`;
  const run = spawn(process.execPath, ["--import", tsx, "--input-type=module", "-e", code]);
  const pids = await new Promise<number[]>((resolve) =>
    run.stdout.once("data", (text: Buffer) => resolve(text.toString().trim().split(" ").map(Number))),
  );
  expect(pids).toHaveLength(2);
  expect(await Promise.all(pids.map(isAlive))).toEqual([true, true]);
  run.kill("SIGKILL");
  await lab.until("all of it is gone", async () => !(await Promise.all(pids.map(isAlive))).includes(true));
});
