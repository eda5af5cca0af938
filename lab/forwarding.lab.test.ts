import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Passing, Refusing } from "../apps/server/src/hosts/host.ts";
import { desiredHost, newDevice, newInterface, withPeers } from "./club-wire.ts";
import { type DrivenHost, driveHost } from "./driven-host.ts";
import * as lab from "./network.ts";

/* Machines whose own firewall blocks what members send through them, as hosting providers and programs configure them. */
const TARGET = `http://${lab.TARGET_ADDRESS}/`;
let network: lab.LabNetwork;
let host: DrivenHost;
const tunnel = newInterface("wg0", 51820);
const anna = newDevice(tunnel, 2);
const base = desiredHost(withPeers(tunnel, anna));

const run = (program: string, args: string[], stdin?: string) =>
  network.host.exec(program, args, stdin === undefined ? {} : { stdin });
const nft = (text: string) => run("nft", ["-f", "-"], text);
const iptables = (text: string, program = "iptables-nft-restore") => run(program, [], `*filter\n${text}\nCOMMIT\n`);
const opens = async () => (await lab.fetchFrom(network.clients[0]!, TARGET)) !== null;
const refusing = (): Promise<Refusing[]> => host.refusing([tunnel]);
const counted = async (way: Passing["way"]): Promise<Pick<Passing, "begun" | "passed">> => {
  const all = (await host.passing()) ?? [];
  const of = all.find((each) => each.way === way && each.kind === "web" && each.family === 4);
  return { begun: of?.begun ?? 0, passed: of?.passed ?? 0 };
};
const since = async (
  before: Passing["begun"] extends number ? Awaited<ReturnType<typeof counted>> : never,
  way: Passing["way"],
) => {
  const now = await counted(way);
  return { begun: now.begun - before.begun, passed: now.passed - before.passed };
};

const ORACLE = `:INPUT ACCEPT
:FORWARD ACCEPT
:OUTPUT ACCEPT
-A INPUT -m state --state RELATED,ESTABLISHED -j ACCEPT
-A INPUT -p udp --dport 51820 -j ACCEPT
-A INPUT -j REJECT --reject-with icmp-host-prohibited
-A FORWARD -j REJECT --reject-with icmp-host-prohibited`;
const DOCKER = `:FORWARD DROP
:DOCKER-USER -
:DOCKER-FORWARD -
-A FORWARD -j DOCKER-USER
-A FORWARD -j DOCKER-FORWARD
-A DOCKER-FORWARD -i docker0 -j ACCEPT`;
const UFW = `:FORWARD DROP
:ufw-before-forward -
:ufw-reject-forward -
-A FORWARD -j ufw-before-forward
-A FORWARD -j ufw-reject-forward
-A ufw-before-forward -m conntrack --ctstate RELATED,ESTABLISHED -j ACCEPT
-A ufw-before-forward -p icmp --icmp-type echo-request -j ACCEPT`;
const FIREWALLD = `table inet firewalld {
  chain filter_FORWARD {
    type filter hook forward priority filter + 10; policy accept;
    ct state { established, related } accept
    ct status dnat accept
    iifname "lo" accept
    jump filter_FORWARD_ZONES
    ct state invalid drop
    reject with icmpx admin-prohibited
  }
  chain filter_FORWARD_ZONES {
    iifname vmap { "eth0" : goto filter_FWD_public }
    goto filter_FWD_public
  }
  chain filter_FWD_public {
    meta l4proto { icmp, ipv6-icmp } accept
  }
}
`;
const INPUT_ONLY = `table ip filter {
  chain INPUT {
    type filter hook input priority filter; policy accept;
    iifname "wg0" accept
  }
  chain FORWARD {
    type filter hook forward priority filter; policy drop;
  }
}
`;

beforeAll(async () => {
  network = await lab.makeNetwork({ clients: 1 });
  host = await driveHost(network.host);
  await lab.startServices(network.target, { tcp: [80] });
  await host.apply(base);
  await lab.tunnelUp(network, network.clients[0]!, anna.file);
  await lab.until("a page opens", opens);
});
afterAll(() => network?.close());

const clear = async () => {
  for (const program of ["iptables-nft", "ip6tables-nft", "iptables-legacy"]) {
    await run(program, ["-P", "FORWARD", "ACCEPT"]);
    await run(program, ["-F"]);
    await run(program, ["-X"]);
  }
  await network.host.attempt("nft", ["delete", "table", "inet", "firewalld"]);
  await network.host.attempt("nft", ["delete", "table", "ip", "filter"]);
  await network.host.attempt("nft", ["delete", "table", "ip6", "filter"]);
};

test("if nothing blocks, all new connections pass, and answers do", async () => {
  const [out, back] = [await counted("out"), await counted("back")];
  expect(await opens()).toBe(true);
  const sent = await since(out, "out");
  expect(sent.begun).toBeGreaterThan(0);
  expect(sent.passed).toBe(sent.begun);
  const answered = await since(back, "back");
  expect(answered.begun).toBeGreaterThan(0);
  expect(answered.passed).toBe(answered.begun);
  expect(await refusing()).toEqual([]);
});

describe.each<[string, () => Promise<unknown>, Partial<Refusing>]>([
  [
    "Oracle's last rule",
    () => iptables(ORACLE),
    { by: "iptables", rule: "-A FORWARD -j REJECT --reject-with icmp-host-prohibited", ways: ["out", "back"] },
  ],
  [
    "the policy of iptables-legacy, which nft does not see",
    () => run("iptables-legacy", ["-P", "FORWARD", "DROP"]),
    { by: "iptables-legacy", chain: "iptables-legacy FORWARD", rule: null, ways: ["out", "back"] },
  ],
  [
    "a policy, with the tunnel allowed in the wrong chain",
    () => nft(INPUT_ONLY),
    { by: "nftables", chain: "ip filter FORWARD", rule: null, ways: ["out", "back"] },
  ],
  [
    "Docker's policy",
    () => iptables(DOCKER),
    { by: "docker", rule: null, opening: expect.stringContaining("DOCKER-USER") },
  ],
  ["ufw's", () => iptables(UFW), { by: "ufw", rule: null, ways: ["out"], opening: "ufw route allow in on wg0" }],
  [
    "firewalld's last rule",
    () => nft(FIREWALLD),
    { by: "firewalld", rule: "reject with icmpx admin-prohibited", ways: ["out"], families: [4, 6] },
  ],
  [
    "only answers",
    () => iptables(":FORWARD DROP\n-A FORWARD -i wg0 -j ACCEPT"),
    { by: "iptables", rule: null, ways: ["back"] },
  ],
])("a machine whose firewall refuses: %s", (_, close, expected) => {
  test("is counted, named with the rule, and opened for the tunnel only, again and again", async () => {
    await clear();
    await close();
    const way = expected.ways?.[0] ?? "out";
    const before = await counted(way);
    expect(await opens()).toBe(false);
    const during = await since(before, way);
    expect(during.begun).toBeGreaterThan(0);
    expect(during.passed).toBe(0);
    const found = await refusing();
    expect(found).toEqual([expect.objectContaining({ isSure: true, ...expected })]);

    const ruleset = () => run("sh", ["-c", "nft --stateless list ruleset; iptables-legacy -S"]);
    expect(await host.apply({ ...base, opensForwarding: true })).toMatchObject({ openingFailure: null });
    expect(await opens()).toBe(true);
    expect(await refusing()).toEqual([]);
    const opened = await ruleset();
    await host.apply({ ...base, opensForwarding: true });
    expect(await ruleset()).toBe(opened);

    await host.apply(base);
    expect(await refusing()).toEqual(found);
    expect(await opens()).toBe(false);
  });

  test("is open once its own command was run there", async () => {
    const [found] = await refusing();
    // Commands of programs that are not installed here cannot be run.
    if (found === undefined || found.by === "ufw" || found.by === "firewalld") return;
    await run("sh", ["-euc", found.opening]);
    expect(await refusing()).toEqual([]);
    expect(await opens()).toBe(true);
  });
});
