import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { parseConfig } from "@krug/wireguard/config-text";
import { generateKeyPair } from "@krug/wireguard/keys";
import { afterAll, beforeAll, expect, test } from "vitest";
import { newInterface } from "./club-wire.ts";
import * as lab from "./network.ts";
import { createConfig, invite, type LabPanel, PASSWORD, setUpAdmin, startPanel } from "./panel.ts";

/* A machine that already runs somebody else's WireGuard, and everything the panel reveals about itself there. */
let network: lab.LabNetwork;
let panel: LabPanel;
let strangers: string;
let seenProcesses: () => string;
const theirs = newInterface("wg0", 51820);

/** Everything visible about the stranger's interface, without the counters that every packet changes. */
async function strangersInterface(): Promise<string> {
  const link = await network.host.exec("ip", ["address", "show", "dev", "wg0"]);
  return link + (await network.host.exec("wg", ["showconf", "wg0"]));
}

beforeAll(async () => {
  network = await lab.makeNetwork({ clients: 1 });
  const { host } = network;
  await Promise.all([lab.startServices(network.target), host.exec("wireguard-go", ["wg0"])]);
  const peer = `[Peer]\nPublicKey = ${generateKeyPair().publicKey}\nAllowedIPs = 10.8.0.2/32\n`;
  const text = `[Interface]\nPrivateKey = ${theirs.privateKey}\nListenPort = 51820\n${peer}`;
  await host.exec("bash", ["-c", "wg setconf wg0 <(cat)"], { stdin: text });
  await host.exec("ip", ["address", "add", "10.8.0.1/24", "dev", "wg0"]);
  await host.exec("ip", ["link", "set", "wg0", "up"]);
  strangers = await strangersInterface();

  const watch = await lab.startScript(host, "./process-watch.ts");
  await lab.until("the watch sees", () => watch.output().includes("watching"));
  seenProcesses = watch.output;
  panel = await startPanel(network, host);
});
afterAll(() => network?.close());

test("a stranger's wg0 is not changed: the panel takes the next name, port and network, and serves on it", async () => {
  const { admin } = await setUpAdmin(panel);
  const { member, token } = await invite(panel, admin, "anna");
  const [own] = await admin.ask("GET /admin/servers/interfaces");
  expect(own).toMatchObject({ name: "Interface 1", interfaceName: "wg1" });
  expect(own?.listenPort).not.toBe(51820);
  expect(own?.subnet).not.toBe("10.8.0.0/24");

  const { id } = await createConfig(member, "laptop");
  const files = [await member.download(id)];
  await member.ask("POST /vpn/configs/{id}/key", { params: { id } });
  files.push(await member.download(id));
  const [client] = network.clients;
  await lab.tunnelUp(network, client!, files[1]!);
  await lab.until("anna reaches the target", () => lab.fetchFrom(client!, `http://${lab.TARGET_ADDRESS}/`));

  // A second start and a recreated interface: what WireGuard gets then must not be visible either.
  const keyOfInterface = (await network.host.exec("wg", ["show", "wg1", "private-key"])).trim();
  await panel.end("SIGTERM");
  await network.host.exec("ip", ["link", "del", "wg1"]);
  await panel.start("npm");
  await lab.until(
    "the interface is back",
    async () => (await network.host.attempt("wg", ["show", "wg1"])).exitCode === 0,
  );
  expect(await strangersInterface()).toBe(strangers);
  secrets = files.flatMap((file) => {
    const { privateKey, peer } = parseConfig(file);
    return [privateKey!, peer.presharedKey!];
  });
  secrets.push(keyOfInterface, theirs.privateKey!);
  words = [PASSWORD, token];
});

test("SIGTERM to npm start ends the panel, not only the shell before it", async () => {
  expect(await panel.end("SIGTERM")).toBe(0);
  expect(await fetch(`${panel.url}/health`).catch(() => null)).toBeNull();
  expect((await network.host.attempt("wg", ["show", "wg1"])).exitCode).toBe(0);
});

/** Each secret in base64, and words that are revealing by themselves. */
let secrets: string[] = [];
let words: string[] = [];

test("no key is visible in the process list, the panel's output or its database", async () => {
  expect(secrets).toHaveLength(6);
  const files = await readdir(panel.dataDir);
  const database = await Promise.all(
    files.filter((name) => name.startsWith("krug.db")).map((name) => readFile(join(panel.dataDir, name), "latin1")),
  );
  const masterKey = await readFile(join(panel.dataDir, "master.key"), "latin1");
  const places = { processes: seenProcesses(), printed: panel.output(), database: database.join("") };
  // Each place must have its expected content: an empty one proves nothing.
  expect(places.processes).toContain("krug-engine");
  expect(places.printed).toContain("answered");
  expect(places.database).toContain("laptop");
  const forms = (secret: string) => {
    const bytes = Buffer.from(secret, "base64");
    return [secret, bytes.toString("hex"), bytes.toString("latin1")];
  };
  for (const [place, text] of Object.entries(places)) {
    for (const secret of [...secrets.flatMap(forms), ...words, masterKey.trim()]) {
      // Not toContain: a failure must not print the secret.
      if (text.includes(secret)) throw new Error(`${place}: a secret of ${secret.length} characters in plain text`);
    }
  }
});
