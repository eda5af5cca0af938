import { readFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Duplex } from "node:stream";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { makeHost } from "../apps/server/src/hosts/driver.ts";
import { type DesiredRouting, type Host, NO_ACCESS_RULES } from "../apps/server/src/hosts/host.ts";
import { makeAgentMachine } from "../apps/server/src/hosts/ssh/agent-machine.ts";
import { type AgentSession, claim, openAgentSession } from "../apps/server/src/hosts/ssh/agent-session.ts";
import { desiredHost, newDevice, newInterface, withPeers } from "./club-wire.ts";
import { lookUp } from "./look-up.ts";
import * as lab from "./network.ts";
import { GENERATION } from "./ssh-host.ts";

const RESOLVER = "203.0.113.53";
const SITE = "203.0.113.20";
const PROGRAMS = new URL("../apps/server/src/hosts/ssh/", import.meta.url);
const FOLDER = "/usr/local/lib/krug";

/* The same as resolver.lab.test.ts on a server over SSH: by the panel's helper there, and over a reboot without a panel. */
describe("a server's own resolver, by the helper", () => {
  let network: lab.LabNetwork;
  let session: AgentSession;
  let host: Host;
  const tunnel = newInterface("wg0", 51820);
  const anna = newDevice(tunnel, 2);
  const sources = anna.peer.allowedIps.map((each) => each.replace(/\/\d+$/, ""));
  const rules: DesiredRouting["rules"] = [
    { sources, networks: [`${RESOLVER}/32`], onlyDns: true, exit: "direct" },
    { sources, networks: [], names: { key: "video", domains: ["site.example"] }, exit: "direct" },
  ];
  const everything = { ...NO_ACCESS_RULES, routing: { interfaces: ["wg0"], rules } };
  const asks = () => lookUp(network.clients[0]!, "203.0.113.99", "site.example");
  const reaches = async () => (await lab.fetchFrom(network.clients[0]!, `http://${SITE}/`)) !== null;
  const exec = (command: string, stdin?: string) =>
    network.host.exec("bash", ["-c", command], stdin === undefined ? {} : { stdin });
  const put = (name: string, text: string) => exec(`cat > ${FOLDER}/${name} && chmod 755 ${FOLDER}/${name}`, text);
  const read = (name: string) => readFileSync(new URL(name, PROGRAMS), "utf8");

  beforeAll(async () => {
    network = await lab.makeNetwork();
    const { target } = network;
    for (const address of [RESOLVER, SITE]) await target.exec("ip", ["address", "add", `${address}/24`, "dev", "eth0"]);
    const records = join(network.folder, "names");
    await writeFile(records, `site.example ${SITE}\n`);
    await Promise.all([
      lab.startServices(target, { tcp: [80] }),
      lab.startScript(target, "./name-server.ts", [RESOLVER, records]),
      exec(`mount -t tmpfs tmpfs /usr/local/lib && mount -t tmpfs tmpfs /var/lib && mkdir -p ${FOLDER} /var/lib/krug`),
    ]);
    await put("resolver", read("resolver.sh"));
    await put(
      "setup",
      read("setup.sh").replace("# container.sh\n", () => read("container.sh")),
    );
    const helper = await network.host.start("perl", [fileURLToPath(new URL("agent.pl", PROGRAMS))]);
    const { stdin, stdout } = helper.process;
    if (!stdin || !stdout) throw new Error("no pipes");
    session = await openAgentSession(Duplex.from({ writable: stdin, readable: stdout }));
    await claim(session, GENERATION, false);
    host = makeHost(makeAgentMachine(async () => session));
    await host.apply({ ...desiredHost(withPeers(tunnel, anna)), access: everything });
    await lab.tunnelUp(network, network.clients[0]!, anna.file);
  });
  afterAll(async () => {
    session?.close();
    await network?.close();
  });

  test("answers, and the firewall has its answers first", async () => {
    expect((await host.apply({ ...desiredHost(withPeers(tunnel, anna)), access: everything })).namesFailure).toBeNull();
    expect(await reaches()).toBe(false);
    await lab.until("the name is answered", async () => String(await asks()) === SITE);
    expect(await reaches()).toBe(true);
    expect(await exec("grep ^Uid: /proc/$(pgrep -x dnsmasq)/status")).not.toMatch(/Uid:\s+0\s/);
  });

  test("comes back after a reboot without a panel, as it was kept", async () => {
    await exec(`${FOLDER}/setup keep`);
    session.close();
    await exec(
      "pkill -KILL -f '[r]esolver watch'; pkill -KILL -x dnsmasq; rm -rf /run/krug-resolver; ip link delete wg0",
    );
    await exec("nft delete table inet krug; ip -4 rule del pref 0 iif wg0; ip -6 rule del pref 0 iif wg0; true");
    await exec(`${FOLDER}/setup restore`);
    await lab.until("the name is answered", async () => String(await asks()) === SITE, 40_000);
    expect(await reaches()).toBe(true);
    expect(await exec("cat /run/krug-resolver/1/is")).toMatch(/^[0-9a-f]{16}$/m);
  });
});
