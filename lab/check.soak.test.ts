import { parseConfig } from "@krug/wireguard/config-text";
import { publicKeyOf } from "@krug/wireguard/keys";
import { afterAll, beforeAll, expect, test } from "vitest";
import { ROOT } from "../scripts/command.mjs";
import * as lab from "./network.ts";
import { createConfig, invite, type LabPanel, setUpAdmin, startPanel } from "./panel.ts";

/* `krug check` on a machine with real tunnels: manual changes there are reported, and nothing is corrected. */
let network: lab.LabNetwork;
let panel: LabPanel;
let key: string;

beforeAll(async () => {
  network = await lab.makeNetwork({ clients: 1 });
  panel = await startPanel(network, network.host);
  const { admin } = await setUpAdmin(panel);
  const { member } = await invite(panel, admin, "anna");
  const { id } = await createConfig(member, "laptop");
  key = publicKeyOf(parseConfig(await member.download(id)).privateKey!);
});
afterAll(() => network?.close());

async function check(): Promise<{ exitCode: number | null; off: string[] }> {
  const { exitCode, stdout } = await network.host.attempt(
    process.execPath,
    [`${ROOT}apps/server/dist/cli.js`, "check", "--json"],
    { env: { DATA_DIR: panel.dataDir } },
  );
  const { findings } = JSON.parse(stdout) as { findings: { code: string; level: string }[] };
  return {
    exitCode,
    off: findings.filter(({ level }) => level === "wrong" || level === "unknown").map(({ code }) => code),
  };
}

const onMachine = async () =>
  (await network.host.exec("wg", ["showconf", "wg0"])) +
  (await network.host.exec("nft", ["--stateless", "list", "ruleset"])) +
  (await network.host.exec("ip", ["-o", "link"])) +
  (await network.host.exec("ip", ["rule"]));

test("with the panel running it finds no problems and changes nothing on the machine", async () => {
  const before = await onMachine();
  expect(await check()).toEqual({ exitCode: 0, off: [] });
  expect(await onMachine()).toBe(before);
});

test("for a stopped panel it reports manual changes, and changes nothing", async () => {
  expect(await panel.end("SIGTERM")).toBe(0);
  expect(await check()).toEqual({ exitCode: 0, off: [] });
  await network.host.exec("wg", ["set", "wg0", "peer", key, "remove"]);
  await network.host.exec("nft", ["delete", "table", "inet", "krug"]);
  await network.host.exec("sysctl", ["-w", "net.ipv4.ip_forward=0"]);
  const before = await onMachine();
  expect(await check()).toEqual({ exitCode: 1, off: ["server.forwarding", "server.firewall", "server.peers_missing"] });
  expect(await onMachine()).toBe(before);
  await panel.start();
  await lab.until("the panel has set it right", async () => (await check()).exitCode === 0, 20_000);
});
