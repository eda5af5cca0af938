import { setTimeout as wait } from "node:timers/promises";
import { reason } from "@krug/domain/reasons";
import type { DesiredInterface, DesiredPeer } from "@krug/wireguard/interface";
import { asPrivateKey, type PrivateKey } from "@krug/wireguard/key-text";
import { generateKeyPair, publicKeyOf } from "@krug/wireguard/keys";
import { WIREGUARD } from "@krug/wireguard/protocol";
import { describe, expect, test } from "vitest";
import { makeMemoryMachine } from "../../testing/memory-machine.ts";
import { makeHost } from "./driver.ts";
import { type DesiredHost, HostFailure, HostRefused, HostUncertain, HostUnreachable, NO_ACCESS_RULES } from "./host.ts";
import { MachineFailure, ProgramFailed } from "./machine.ts";

const newPeer = (last: number): DesiredPeer => ({
  publicKey: generateKeyPair().publicKey,
  presharedKey: null,
  allowedIps: [`10.8.0.${last}/32`],
});
const [anna, boris] = [newPeer(2), newPeer(3)];
const newInterface = (name: string, listenPort: number, peers: DesiredPeer[]): DesiredInterface => ({
  name,
  listenPort,
  ...generateKeyPair(),
  addresses: ["10.8.0.1/24"],
  mtu: null,
  peers,
});
const wg0 = newInterface("wg0", 51820, [anna, boris]);
const wg1 = newInterface("wg1", 51821, []);
const desiredHost = (...interfaces: DesiredInterface[]): DesiredHost => ({
  interfaces,
  ownKeys: [wg0.publicKey, wg1.publicKey],
  closedTcpPorts: [25],
  openPorts: [],
  access: NO_ACCESS_RULES,
});
const change = { interfaceName: "wg0", interfaceKey: wg0.publicKey };
const last = (peer: DesiredPeer, rxBytes: number, txBytes: number) => ({
  interfaceKey: wg0.publicKey,
  publicKey: peer.publicKey,
  rxBytes,
  txBytes,
  lastHandshakeAt: null,
  life: expect.stringMatching(/^[\w+/]{16}$/),
});

const publicKeyFor = (key: string) => publicKeyOf(asPrivateKey(key) as PrivateKey);

/** A machine whose wg0 has both peers, as a check has shown, and Anna has used it. */
async function standing() {
  const machine = makeMemoryMachine(publicKeyFor);
  const host = makeHost(machine);
  await host.apply(desiredHost(wg0));
  await host.read();
  machine.use(anna.publicKey, 500, 900);
  machine.commands.length = 0;
  return { machine, host };
}

const failureOf = async (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => null,
    (error: unknown) => error,
  );
const timedOut = () => new ProgramFailed("wg", "timeout", null, "");
const away = () => new MachineFailure("unreachable", reason("ssh.lost", {}, "no route to host"));

test("the driver brings a machine in memory to the desired state, and then touches nothing", async () => {
  const { machine, host } = await standing();
  expect([...(machine.tunnels.get("wg0")?.peers.keys() ?? [])]).toEqual([anna.publicKey, boris.publicKey]);
  expect(machine.tunnels.get("wg0")).toMatchObject({ isUp: true, mtu: 1420, listenPort: "51820" });
  expect(await host.apply(desiredHost(wg0))).toMatchObject({ addedPeers: [], removedPeers: [], conflicts: [] });
  expect(machine.commands.filter((command) => /\b(set|add|del|delete|-f)\b/.test(command))).toEqual([]);
});

/** The same machine at the end of a slow connection: answers arrive together, once the driver sends nothing more. */
function farAway<Kind extends ReturnType<typeof makeMemoryMachine>>(machine: Kind) {
  let waits = 0;
  const due: (() => void)[] = [];
  const over =
    <Sent extends unknown[], Answer>(call: (...sent: Sent) => Promise<Answer>) =>
    async (...sent: Sent): Promise<Answer> => {
      const answer = call(...sent);
      answer.catch(() => undefined);
      if (due.length === 0)
        setTimeout(() => {
          waits += 1;
          for (const arrive of due.splice(0)) arrive();
        }, 20);
      await new Promise<void>((arrive) => due.push(arrive));
      return answer;
    };
  const { run, readFile, identify, listFolder, ask } = machine;
  Object.assign(machine, {
    run: over(run),
    readFile: over(readFile),
    identify: over(identify),
    listFolder: over(listFolder),
    ask: over(ask),
  });
  return async (work: () => Promise<unknown>) => {
    waits = 0;
    await work();
    return waits;
  };
}

test("a small change, a check and a run that changes nothing each cost one round trip to a distant machine", async () => {
  const { machine, host } = await standing();
  const waitsOf = farAway(machine);
  expect({
    look: await waitsOf(() => host.read()),
    add: await waitsOf(() => host.applyPeers({ ...change, upsert: [newPeer(4)], remove: [] })),
    silence: await waitsOf(() => host.applyPeers({ ...change, upsert: [], silence: [anna.publicKey], remove: [] })),
    remove: await waitsOf(() => host.applyPeers({ ...change, upsert: [], remove: [anna.publicKey] })),
  }).toEqual({ look: 1, add: 1, silence: 1, remove: 2 });
  await host.apply(desiredHost(wg0));
  expect(await waitsOf(() => host.apply(desiredHost(wg0)))).toBe(1);
});

test("an interface that somebody recreated since the last check is read before it is touched", async () => {
  const { machine, host } = await standing();
  const { identify } = machine;
  machine.identify = async (path) => ((await identify(path)) === null ? null : "another");
  machine.tunnels.get("wg0")?.peers.delete(anna.publicKey);
  expect((await host.applyPeers({ ...change, upsert: [anna], remove: [] })).addedPeers).toHaveLength(1);

  const tunnel = machine.tunnels.get("wg0");
  if (tunnel) tunnel.privateKey = generateKeyPair().privateKey;
  machine.identify = async (path) => ((await identify(path)) === null ? null : "a stranger's");
  await host.read();
  machine.identify = async (path) => ((await identify(path)) === null ? null : "a third");
  machine.commands.length = 0;
  expect(await failureOf(host.applyPeers({ ...change, upsert: [anna], remove: [] }))).toBeInstanceOf(HostRefused);
  expect(machine.commands).toEqual(["wg show wg0 dump"]);
});

test("the port of a program that has just ended is waited for, not reported as somebody else's", async () => {
  const { machine, host } = await standing();
  machine.tunnels.delete("wg0");
  machine.files.set("/proc/net/udp", "  sl  local_address\n   1: 00000000:CA6C 00000000:0000 07\n");
  setTimeout(() => machine.files.delete("/proc/net/udp"), 60);
  expect((await host.apply(desiredHost(wg0))).conflicts).toEqual([]);
  expect(machine.tunnels.get("wg0")).toMatchObject({ isUp: true, listenPort: "51820" });
});

test("a full run returns what it saw, unless peers were added or removed in it", async () => {
  const { host } = await standing();
  const { seen } = await host.apply(desiredHost(wg0));
  expect(seen).toEqual(await host.read());
  expect(seen?.[0]?.peers.find(({ publicKey }) => publicKey === anna.publicKey)).toMatchObject({ rxBytes: 500 });
  expect((await host.apply(desiredHost({ ...wg0, peers: [boris] }))).seen).toBeNull();
  expect((await host.apply(desiredHost(wg0))).seen).toBeNull();
  expect((await host.apply(desiredHost(wg0, wg1))).seen).toBeNull();
});

test.each([
  ["the machine cannot be reached", away, HostUnreachable],
  ["the program says no", () => new ProgramFailed("wg", "failed", 1, "Operation not permitted"), HostRefused],
  ["the program hangs", timedOut, HostUncertain],
])("a removal fails with its reason when %s, and the counters read before are kept", async (_, trouble, outcome) => {
  const { machine, host } = await standing();
  machine.trouble = (command) => {
    if (command.endsWith("remove")) throw trouble();
    return undefined;
  };
  const failure = await failureOf(host.applyPeers({ ...change, upsert: [], remove: [anna.publicKey] }));
  expect(failure).toBeInstanceOf(outcome);
  expect(failure).toMatchObject({ done: { addedPeers: [], removedPeers: [last(anna, 500, 900)] } });
  // Reported once: the next answer is only about the next call.
  machine.trouble = () => undefined;
  expect(await host.applyPeers({ ...change, upsert: [], remove: [boris.publicKey] })).toMatchObject({
    removedPeers: [{ publicKey: boris.publicKey }],
  });
});

test("a removal whose answer was lost returns its counters too, and is not believed undone", async () => {
  const { machine, host } = await standing();
  machine.trouble = (command) => (command.endsWith("remove") ? { after: timedOut() } : undefined);
  const failure = await failureOf(host.applyPeers({ ...change, upsert: [], remove: [anna.publicKey] }));
  expect(failure).toBeInstanceOf(HostUncertain);
  expect((failure as HostFailure).done.removedPeers).toEqual([last(anna, 500, 900)]);
  machine.trouble = () => undefined;
  expect((await host.applyPeers({ ...change, upsert: [anna], remove: [] })).addedPeers).toEqual([
    { interfaceKey: wg0.publicKey, publicKey: anna.publicKey },
  ]);
});

test("a machine that goes away in the middle reports what was done until then", async () => {
  const { machine, host } = await standing();
  machine.trouble = (command) => {
    if (command.includes("link add")) throw away();
    return undefined;
  };
  const failure = await failureOf(host.apply(desiredHost({ ...wg0, peers: [boris] }, wg1)));
  expect(failure).toBeInstanceOf(HostUnreachable);
  expect(failure).toMatchObject({ done: { removedPeers: [last(anna, 500, 900)] } });
});

test("what one interface is refused is only its conflict, and the others are served", async () => {
  const { machine, host } = await standing();
  machine.trouble = (command) => {
    if (command.includes("link add")) throw new ProgramFailed("ip", "failed", 2, "RTNETLINK: no");
    return undefined;
  };
  const applied = await host.apply(desiredHost(wg1, { ...wg0, peers: [boris] }));
  expect(applied.conflicts).toEqual([
    { name: "wg1", reason: "failed", why: reason("program.failed", { program: "ip", code: 2 }, "RTNETLINK: no") },
  ]);
  expect(applied.removedPeers).toEqual([last(anna, 500, 900)]);
});

test("an interface whose private key cannot be read keeps running and obeys; only a missing one is refused", async () => {
  const { machine, host } = await standing();
  const unreadable = { ...wg0, peers: [anna], privateKey: null };
  expect(await host.apply(desiredHost(unreadable))).toMatchObject({
    conflicts: [],
    removedPeers: [{ publicKey: boris.publicKey }],
  });
  machine.tunnels.delete("wg0");
  const { conflicts } = await host.apply(desiredHost(unreadable, wg1));
  expect(conflicts).toMatchObject([{ name: "wg0", reason: "failed", why: reason("interface.key_lost") }]);
  expect([...machine.tunnels.keys()]).toEqual(["wg1"]);
});

test("a bug is thrown unchanged, after the other interfaces were served, and no counter is lost with it", async () => {
  const { machine, host } = await standing();
  machine.trouble = (command) => {
    if (command.includes("link add")) throw new TypeError("x is not a function");
    return undefined;
  };
  const failure = await failureOf(host.apply(desiredHost(wg1, { ...wg0, peers: [boris] })));
  expect(failure).toBeInstanceOf(TypeError);
  expect(failure).not.toBeInstanceOf(HostFailure);
  expect([...(machine.tunnels.get("wg0")?.peers.keys() ?? [])]).toEqual([boris.publicKey]);
  machine.trouble = () => undefined;
  expect((await host.apply(desiredHost(wg1, { ...wg0, peers: [boris] }))).removedPeers).toEqual([last(anna, 500, 900)]);
});

test("a read without an answer leaves nothing uncertain: the machine was not reached", async () => {
  const { machine, host } = await standing();
  machine.trouble = (command) => {
    if (command === "wg show all dump") throw timedOut();
    return undefined;
  };
  expect(await failureOf(host.read())).toBeInstanceOf(HostUnreachable);
  machine.trouble = () => {
    throw new RangeError("a bug");
  };
  expect(await failureOf(host.read())).toBeInstanceOf(RangeError);
});

describe("the life of an interface's counters has an id", () => {
  const lifeOn = async (host: ReturnType<typeof makeHost>) => (await host.read())[0]?.life;

  test("that every driver finds, as long as the interface exists", async () => {
    const { machine, host } = await standing();
    const before = await lifeOn(host);
    expect(before).toEqual(expect.any(String));
    machine.use(boris.publicKey, 5, 5);
    expect(await lifeOn(host)).toBe(before);
    expect(await lifeOn(makeHost(machine))).toBe(before);
    expect((await host.apply(desiredHost(wg0))).seen?.[0]?.life).toBe(before);
    const { removedPeers } = await host.applyPeers({ ...change, upsert: [], remove: [anna.publicKey] });
    expect(removedPeers[0]?.life).toBe(before);
  });

  test("and that changes once the interface, its engine or its machine restarts", async () => {
    const { machine, host } = await standing();
    const lives = [await lifeOn(host)];
    machine.tunnels.delete("wg0");
    await host.apply(desiredHost(wg0));
    lives.push(await lifeOn(host));
    machine.files.set("/proc/sys/kernel/random/boot_id", "8a1b7c3e-0000-4000-8000-000000000002\n");
    lives.push(await lifeOn(host));
    const { identify } = machine;
    for (const socket of ["5 1700000000", "5 1700000001"]) {
      // When a container restarts, its host's kernel keeps running, and its links are numbered from the start.
      machine.identify = async (path) => (path.endsWith(".sock") ? socket : identify(path));
      lives.push(await lifeOn(host));
      expect(await lifeOn(makeHost(machine))).toBe(lives.at(-1));
    }
    expect(new Set(lives).size).toBe(5);
  });

  test("and that stays if the kernel has forgotten a folder's time", async () => {
    const { machine, host } = await standing();
    const before = await lifeOn(host);
    const { identify } = machine;
    machine.identify = async (path) => ((await identify(path)) === null ? null : "another");
    expect(await lifeOn(host)).toBe(before);
  });

  test("and old counters are never returned with it", async () => {
    const { machine, host } = await standing();
    const before = await lifeOn(host);
    const { run } = machine;
    const late = [await run("wg", ["show", "all", "dump"])];
    machine.run = async (program, args, options) =>
      (args[2] === "dump" ? late.shift() : undefined) ?? run(program, args, options);
    Object.assign(machine.tunnels.get("wg0") ?? {}, { index: 9 });
    machine.use(anna.publicKey, 1, 1);
    const [seen] = await host.read();
    expect(late).toEqual([]);
    expect(seen?.life).not.toBe(before);
    expect(seen?.peers.find(({ publicKey }) => publicKey === anna.publicKey)).toMatchObject({ rxBytes: 1 });
  });

  test("unless the machine does not provide one", async () => {
    const { machine, host } = await standing();
    machine.files.delete("/proc/sys/kernel/random/boot_id");
    expect(await lifeOn(host)).toBeNull();
  });
});

test("whether a machine answers at all is checked without running a program there", async () => {
  const { machine, host } = await standing();
  await host.reach();
  expect(machine.commands).toEqual([]);
  const silent = makeHost({ ...machine, findProgram: () => Promise.reject(away()) });
  expect(await failureOf(silent.reach())).toBeInstanceOf(HostUnreachable);
});

test("suspicions from another firewall's rules are left to the counters: the report only has certainties", async () => {
  const { machine } = await standing();
  const chain = { family: "ip", table: "filter", name: "FORWARD", hook: "forward", policy: "drop" };
  const host = makeHost({
    ...machine,
    run: async (program, args, options) =>
      args.includes("-j") && ["chains", "table"].includes(args[2] ?? "")
        ? JSON.stringify({ nftables: [{ chain }] })
        : machine.run(program, args, options),
  });
  expect(await host.refusing([wg0])).toMatchObject([{ chain: "ip filter FORWARD", isSure: true }]);
  expect((await host.inspect()).missing).toEqual([]);

  machine.files.set("/proc/sys/net/ipv4/ip_forward", "0\n");
  const readOnly = makeHost({ ...machine, canWrite: async () => false });
  expect((await readOnly.inspect()).missing).toMatchObject([
    { code: "forwarding_blocked", why: reason("lack.forwarding") },
  ]);
});

test("unreadable output of the machine is its failure, and quotes no key", async () => {
  const { machine, host } = await standing();
  const tunnel = machine.tunnels.get("wg0");
  if (tunnel) tunnel.listenPort = "many";
  const failure = await failureOf(host.read());
  expect(failure).toBeInstanceOf(HostRefused);
  expect(String(failure)).not.toContain(wg0.privateKey);
});

test("a call ends at its caller's signal and at its deadline, and reports what it did until then", async () => {
  const { machine, host } = await standing();
  const controller = new AbortController();
  machine.trouble = (command) => {
    if (command.endsWith("remove")) controller.abort();
    return undefined;
  };
  const given = await failureOf(host.apply(desiredHost({ ...wg0, peers: [boris] }), { signal: controller.signal }));
  expect(given).toBeInstanceOf(HostUncertain);
  expect(given).toMatchObject({ message: "the call was cancelled", done: { removedPeers: [last(anna, 500, 900)] } });

  machine.run = () => wait(30, "");
  const late = await failureOf(host.apply(desiredHost(wg0), { deadlineMs: 10 }));
  expect(late).toMatchObject({ name: "HostUncertain", message: "the machine took too long" });
});

test("a protocol's own fields are set on a new interface, and corrected if they drifted", async () => {
  const parse = (text: string) => (/^\d+$/.test(text) ? text : null);
  const noisy = { ...WIREGUARD, program: "ng", fields: [{ name: "junk", initial: "0", parse }] };
  const machine = makeMemoryMachine(publicKeyFor, noisy);
  const host = makeHost(machine, { wireguard: noisy });
  const desired = { ...wg0, parameters: { junk: "7" } };
  await host.apply(desiredHost(desired));
  const tunnel = machine.tunnels.get("wg0");
  expect(tunnel?.parameters.get("junk")).toBe("7");
  tunnel?.parameters.set("junk", "1");
  expect(await host.apply(desiredHost(desired))).toMatchObject({ addedPeers: [], removedPeers: [], conflicts: [] });
  expect(tunnel?.parameters.get("junk")).toBe("7");
});

test("an interface that cannot give up a parameter is recreated, and its last counters are reported", async () => {
  const parse = (text: string) => (/^\d+$/.test(text) ? text : null);
  const noisy = {
    ...WIREGUARD,
    program: "ng",
    fields: [{ name: "junk", initial: "0", parse, canReturn: false }],
  };
  const machine = makeMemoryMachine(publicKeyFor, noisy);
  const host = makeHost(machine, { wireguard: noisy });
  await host.apply(desiredHost({ ...wg0, parameters: { junk: "7" } }));
  await host.read();
  machine.use(anna.publicKey, 500, 900);
  const before = machine.tunnels.get("wg0")?.index;
  const applied = await host.apply(desiredHost(wg0));
  expect(applied.removedPeers).toEqual([last(anna, 500, 900), last(boris, 0, 0)]);
  expect(applied.addedPeers.map(({ publicKey }) => publicKey)).toEqual([anna.publicKey, boris.publicKey]);
  expect(machine.tunnels.get("wg0")?.index).not.toBe(before);
  expect(machine.tunnels.get("wg0")).toMatchObject({ isUp: true, addresses: wg0.addresses, listenPort: "51820" });
  expect(await host.apply(desiredHost(wg0))).toMatchObject({ addedPeers: [], removedPeers: [] });
});

describe("a call whose lease another panel takes over", () => {
  const leaseUntil = (machine: ReturnType<typeof makeMemoryMachine>, last: string) => ({
    isOurs: async () => !machine.commands.some((command) => command.startsWith(last)),
  });
  const taken = "another panel works on the machine now";

  test("ends without another step, and reports what it had done", async () => {
    const { machine, host } = await standing();
    const removed = host.applyPeers(
      { ...change, upsert: [newPeer(4)], remove: [anna.publicKey] },
      { lease: leaseUntil(machine, "wg set wg0 peer") },
    );
    const failure = (await failureOf(removed)) as HostFailure;
    expect([failure.name, failure.message]).toEqual(["HostUncertain", taken]);
    expect(failure.done.removedPeers).toEqual([last(anna, 500, 900)]);
    expect(machine.commands.at(-1)).toMatch(/^wg set wg0 peer .* remove$/);
  });

  test("brings no other interface up after that", async () => {
    const { machine, host } = await standing();
    const applied = host.apply(desiredHost(wg0, wg1), { lease: leaseUntil(machine, "nft -f") });
    expect(await failureOf(applied)).toMatchObject({ name: "HostUncertain", message: taken });
    expect([...machine.tunnels.keys()]).toEqual(["wg0"]);
  });

  test("changes nothing if it was lost before", async () => {
    const { machine, host } = await standing();
    const lost = { lease: { isOurs: async () => false } };
    expect(await failureOf(host.applyPeers({ ...change, upsert: [newPeer(4)], remove: [] }, lost))).toBeInstanceOf(
      HostFailure,
    );
    expect(machine.commands).toEqual([]);
    expect((await host.applyPeers({ ...change, upsert: [newPeer(4)], remove: [] })).addedPeers).toHaveLength(1);
  });
});

describe("a round that changes nothing", () => {
  const routed = (sources: string[]) => ({
    ...desiredHost(wg0),
    access: {
      ...NO_ACCESS_RULES,
      routing: { interfaces: ["wg0"], rules: [{ sources, networks: ["203.0.113.0/24"], exit: "direct" as const }] },
    },
  });
  const loads = ({ commands }: { commands: string[] }) => commands.filter((each) => each === "nft -f -").length;

  test("leaves out what is in the table's sets, and sees a rule that somebody else changed", async () => {
    const machine = makeMemoryMachine(publicKeyFor);
    const host = makeHost(machine);
    const wished = routed(["10.8.0.2"]);
    for (let round = 0; round < 3; round += 1) await host.apply(wished);
    machine.commands.length = 0;
    await host.apply(wished);
    expect(machine.commands.filter((each) => each.includes("list table inet krug"))).toEqual([
      "nft --stateless --terse list table inet krug",
    ]);
    const table = await machine.run("nft", ["--stateless", "list", "table", "inet", "krug"]);
    await machine.run("nft", ["-f", "-"], { stdin: table.replace("    drop\n", "") });
    machine.commands.length = 0;
    await host.apply(wished);
    expect(loads(machine)).toBe(1);
    expect(await machine.run("nft", ["--stateless", "list", "table", "inet", "krug"])).toBe(table);
  });

  test("notices within a quarter of an hour what somebody added to a set", async () => {
    const machine = makeMemoryMachine(publicKeyFor);
    const host = makeHost(machine);
    const wished = routed(["10.8.0.2"]);
    for (let round = 0; round < 3; round += 1) await host.apply(wished);
    const table = await machine.run("nft", ["--stateless", "list", "table", "inet", "krug"]);
    await machine.run("nft", ["-f", "-"], { stdin: table.replace("{ 10.8.0.2 }", "{ 10.8.0.2, 10.8.0.9 }") });
    machine.commands.length = 0;
    for (let round = 0; round < 15; round += 1) await host.apply(wished);
    expect(loads(machine)).toBe(1);
    await host.apply(routed(["10.8.0.2", "10.8.0.3"]));
    expect(loads(machine)).toBe(2);
  });
});

describe("a machine on which another club's panel has its tunnels", () => {
  const [ours, theirs] = ["11111111-1111-4111-8111-111111111111", "22222222-2222-4222-8222-222222222222"];
  const hostOf = (machine: ReturnType<typeof makeMemoryMachine>, club: string | null) =>
    makeHost(machine, { club: async () => club });
  const theirWish = () => ({ ...desiredHost(wg0), ownKeys: [wg0.publicKey] });
  const ourWish = () => ({ ...desiredHost(wg1), ownKeys: [wg1.publicKey], opensForwarding: true });
  const changes = (machine: ReturnType<typeof makeMemoryMachine>) =>
    machine.commands.filter(
      (command) => / (?:set|add|addconf|del|delete|replace|-f|-[ID]) /.test(command) && !command.includes("krugprobe0"),
    );

  test("is reported, and nothing there is touched", async () => {
    const machine = makeMemoryMachine(publicKeyFor);
    await hostOf(machine, theirs).apply(theirWish());
    const table = await machine.run("nft", ["--stateless", "list", "table", "inet", "krug"]);
    machine.commands.length = 0;
    for (const wished of [ourWish(), { ...ourWish(), interfaces: [] }]) {
      const failure = await failureOf(hostOf(machine, ours).apply(wished));
      expect(failure).toBeInstanceOf(HostRefused);
      expect((failure as HostRefused).message).toMatch(/^another club's panel has its tunnels on this machine/);
    }
    expect(changes(machine)).toEqual([]);
    expect(await machine.run("nft", ["--stateless", "list", "table", "inet", "krug"])).toBe(table);
    expect(await hostOf(machine, theirs).apply(theirWish())).toMatchObject({ conflicts: [], firewallFailure: null });
  });

  test("is recognised, if its panel predates marks, by the tunnels its table is for", async () => {
    const machine = makeMemoryMachine(publicKeyFor);
    await hostOf(machine, null).apply(theirWish());
    machine.commands.length = 0;
    expect(await failureOf(hostOf(machine, ours).apply(ourWish()))).toBeInstanceOf(HostRefused);
    expect(changes(machine)).toEqual([]);
  });

  test("the panel's own table from before marks gets its mark in one transaction", async () => {
    const machine = makeMemoryMachine(publicKeyFor);
    await hostOf(machine, null).apply(theirWish());
    machine.commands.length = 0;
    await hostOf(machine, theirs).apply(theirWish());
    expect(changes(machine)).toEqual(["nft -f -"]);
    const table = await machine.run("nft", ["--stateless", "list", "table", "inet", "krug"]);
    expect(table).toMatch(/^\s*chain of_[0-9a-f]{16} \{$/m);
  });

  test("a table whose tunnels are all gone is taken over", async () => {
    const machine = makeMemoryMachine(publicKeyFor);
    await hostOf(machine, null).apply(theirWish());
    machine.tunnels.clear();
    expect(await hostOf(machine, ours).apply(ourWish())).toMatchObject({ conflicts: [], firewallFailure: null });
  });
});
