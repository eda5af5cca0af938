import { execFileSync, spawn } from "node:child_process";
import { createHash, randomUUID } from "node:crypto";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { open } from "node:fs/promises";
import { createServer, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Duplex } from "node:stream";
import { afterEach, beforeEach, expect, test } from "vitest";
import { isAlive } from "../../../../../scripts/command.mjs";
import { forgetExits, prepareExits, routeExits } from "../exit-routes.ts";
import type { Generation } from "../generation.ts";
import { endingWith, type Machine, type ProgramFailed } from "../machine.ts";
import { makeAgentMachine } from "./agent-machine.ts";
import { type AgentSession, claim, openAgentSession, refuseUnheld } from "./agent-session.ts";

/** The largest engine here; the real limit is 32 times that, which takes minutes on a busy machine. */
const MIB = 1024 * 1024;
/** Ends tests that hang. */
const LONG = { timeout: 30_000 };
const AGENT = new URL("agent.pl", import.meta.url).pathname;

let folder: string;
let machine: Machine;
let session: AgentSession;
/** Another connection to the same machine. */
let again: () => Promise<AgentSession>;

const CLUB = "6f1c2b6e-0f0a-4c39-9d6a-2f6d0a4f7b11";
const OWN: Generation = { club: CLUB, number: 1, token: CLUB, since: 0 };

/** The agent itself on this machine, which in these tests may also run programs that show what it does with them. */
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "krug-agent-"));
  const laxer = readFileSync(AGENT, "utf8")
    .replace(
      "my %MAY_RUN = (",
      "my %MAY_RUN = ((map { ($_ => sub { 1 }) } qw(cat env printf bash sleep yes false true no-such-program)),",
    )
    .replace("my $ENGINE_LIMIT = 32 *", "my $ENGINE_LIMIT = 1 *")
    .replace("my %CHANGES = (", "my %CHANGES = (cat => qr{/gate$},")
    .replace("my @FOLDERS = qw(", `my @FOLDERS = qw(${folder}/bin `)
    .replaceAll("my $SOCKET = qr{", `my $SOCKET = qr{${folder}/[a-z]+|`)
    .replace("/usr/local/lib/krug/setup", join(folder, "setup"))
    .replaceAll("/usr/local/lib/krug/engine", join(folder, "engine"))
    .replace("/var/lib/krug/generations", join(folder, "state", "generations"))
    .replaceAll("now() + 60", "now() + 0.1");
  // It refuses everything, wherever the tests run: this machine may have none, or one with tunnels.
  mkdirSync(join(folder, "bin"));
  writeFileSync(join(folder, "bin", "wg"), "#!/bin/sh\nexit 1\n", { mode: 0o755 });
  const path = join(folder, "agent.pl");
  writeFileSync(path, laxer);
  again = () => openAgentSession(programStream("perl", [path]));
  session = await again();
  await claim(session, OWN, false);
  machine = makeAgentMachine(async () => session);
});

afterEach(() => {
  session.close();
  rmSync(folder, { recursive: true });
});

function programStream(program: string, args: string[]): Duplex {
  const child = spawn(program, args, { stdio: ["pipe", "pipe", "inherit"] });
  const stream = Duplex.from({ writable: child.stdin, readable: child.stdout });
  stream.on("close", () => {
    child.stdin.destroy();
    if (program !== "perl") child.kill();
  });
  return stream;
}

const failureOf = (work: Promise<unknown>) =>
  work.then(
    () => null,
    (error: ProgramFailed) => error,
  );

test("what is given on stdin can be read as a stream and opened again as /dev/stdin", async () => {
  const stdin = `первая строка\n${"x".repeat(300_000)}\n`;
  expect(await machine.run("cat", [], { stdin })).toBe(stdin);
  expect(await machine.run("cat", ["/dev/stdin"], { stdin })).toBe(stdin);
});

test("a program gets a clean environment and its exact arguments", async () => {
  const names = (await machine.run("env", [])).split("\n").filter(Boolean);
  expect(names.map((line) => line.split("=")[0]).sort()).toEqual(["LC_ALL", "PATH"]);
  expect(await machine.run("printf", ["%s|", "$(id)", "; rm", "a b", ""])).toBe("$(id)|; rm|a b||");
});

test("a failure has the program, code and stderr, but no key that stderr quotes", async () => {
  const key = "yAnz5TF+lXXJte14tji3zlMNq+hd2rYUIgJBgB3fBmk=";
  const failure = await failureOf(machine.run("bash", ["-c", `echo "bad key: ${key}" >&2; exit 3`]));
  expect(failure).toMatchObject({ name: "ProgramFailed", reason: "failed", exitCode: 3, outcome: "refused" });
  expect(failure?.message).toContain("bad key: [key]");
});

test("a program that is missing, hangs, floods or is killed is distinguished", async () => {
  expect(await failureOf(machine.run("no-such-program", []))).toMatchObject({ reason: "not_found" });
  expect(await failureOf(machine.run("sleep", ["20"], { timeoutMs: 30 }))).toMatchObject({ reason: "timeout" });
  expect(await failureOf(machine.run("yes", [], { maxOutputBytes: 10_000 }))).toMatchObject({
    reason: "too_much_output",
  });
  expect(await failureOf(machine.run("bash", ["-c", "kill -9 $$"]))).toMatchObject({ outcome: "unknown" });
  expect(await failureOf(machine.run("false", []))).toMatchObject({ outcome: "refused" });
});

test("many calls run concurrently, and one that is given up ends at once without the others", async () => {
  const controller = new AbortController();
  const ending = failureOf(endingWith(controller.signal, machine).run("sleep", ["30"]));
  const others = Promise.all(Array.from({ length: 50 }, (_, at) => machine.run("printf", ["%s", String(at)])));
  controller.abort();
  expect(await ending).toMatchObject({ name: "CallGivenUp", outcome: "unknown" });
  expect(await others).toEqual(Array.from({ length: 50 }, (_, at) => String(at)));
});

test("an echo to the next router works as the path measurement needs it", async () => {
  writeFileSync(join(folder, "bin", "ping"), '#!/bin/sh\nprintf "%s\\n" "$*"\n', { mode: 0o755 });
  for (const echo of [
    "-n -q -c 2 -i 0.2 -W 1 -I eth0 -M do -s 1472 192.0.2.1",
    "-n -q -c 2 -i 0.2 -W 1 -I fd00:2::2 -M do -s 100 2606:4700:4700::1111",
    "-n -q -c 2 -i 0.2 -W 1 -I enp1s0.7 -M do -s 1232 fe80::1",
  ])
    expect(await machine.run("ping", echo.split(" "))).toBe(`${echo}\n`);
});

test("addresses, links and routing rules of tunnels can be changed", async () => {
  writeFileSync(join(folder, "bin", "ip"), '#!/bin/sh\nprintf "%s\\n" "$*"\n', { mode: 0o755 });
  for (const change of [
    "address replace 10.8.0.1/22 dev wg0",
    "address replace fd00:8::1/112 dev wg0",
    "link set dev wg0 mtu 1420",
    "-4 rule add pref 0 iif wg0 fwmark 0/536870912 blackhole protocol kernel",
  ])
    expect(await machine.run("ip", change.split(" "))).toBe(`${change}\n`);
});

test("routes and rules of links to exits can be made, changed and removed", async () => {
  writeFileSync(join(folder, "bin", "ip"), '#!/bin/sh\ncase "$*" in *-j*) echo "[]" ;; esac\n', { mode: 0o755 });
  const link = { number: 3, name: "exit3", mtu: null, addresses: ["198.18.0.14", "fd00:2::2"] };
  const exits = { interfaces: ["wg0"], links: [link] };
  const rule = { priority: 90, iif: "wg0", fwmark: "0x40000", fwmask: "0xff0000", table: "27396" };
  const seen = { v4: [rule, { priority: 90, src: "198.18.0.18", table: "27396" }], v6: [rule] };
  await prepareExits(machine, exits, seen);
  await routeExits(machine, [link], seen);
  await forgetExits(machine, exits, seen);
});

test("only what a server's tunnels need is allowed", async () => {
  for (const [program, ...args] of [
    ["sh", "-c", "id"],
    ["ip", "netns", "exec", "x", "id"],
    ["ip", "-j", "netns", "exec", "x", "id"],
    ["ip", "-n", "x", "address"],
    ["ping", ..."-n -q -c 200 -i 0.2 -W 1 -I eth0 -M do -s 1472 192.0.2.1".split(" ")],
    ["ping", ..."-n -q -c 2 -i 0.2 -W 1 -I eth0 -M do -s 1472 example.org".split(" ")],
    ["ping", ..."-n -q -c 2 -i 0.2 -W 1 -I eth0 -M do -s 1472 192.0.2.1 -f".split(" ")],
    ["iptables-legacy", "-F"],
    ["iptables-nft", "-I", "INPUT", "-i", "wg0", "-m", "comment", "--comment", "krug", "-j", "ACCEPT"],
    ["iptables-nft", "-I", "FORWARD", "-j", "ACCEPT"],
    ["iptables-nft", "-I", "FORWARD", "-i", "wg0", "-m", "comment", "--comment", "krug", "-j", "ACCEPT", "-s", "::"],
    ["nft", "-j", "list", "ruleset"],
    ["ip", "-batch", "/etc/passwd"],
    ["ip", "link", "set", "dev", "wg0", "netns", "1"],
    ["ip", "link", "set", "dev", "lo", "xdp", "object", "tmp/x.o"],
    ["ip", "link", "set", "dev", "lo", "xdpgeneric", "obj", "x.o"],
    ["ip", "link", "add", "dev", "wg0", "type", "../../tmp/x"],
    ["ip", "route", "replace", "192.0.2.0/24", "encap", "bpf", "in", "obj", "x.o", "dev", "lo"],
    ["wg", "set", "wg0", "private-key", "/etc/shadow"],
    ["wg", "set", "wg0", "private-key", "etc/shadow"],
    ["wg", "addconf", "wg0", "/etc/shadow"],
    ["wg", "showconf", "wg0"],
    ["nft", "-f", "/etc/shadow"],
    ["nft", "flush", "ruleset"],
    ["wireguard-go", "wg0"],
    ["/usr/local/lib/krug/engine", "--foreground", "wg0"],
    ["/usr/local/lib/krug/engine", "--foreground", "--type", "wireguard", "wg0"],
    ["/usr/bin/id", "--foreground", "wg0"],
    ["uname", "-a"],
    ["krug-programs", "copied", "x", "/etc/shadow"],
    ["krug-programs", "stop_container", "--time=0"],
    ["krug-programs", "stop_container", "wg-easy; id"],
    ["krug-programs", "start_container", "wg-easy", "always --privileged", "yes"],
    ["krug-programs", "start_quick", "wg-quick", "wg0", "enabled", "yes", "id"],
    ["krug-programs", "retire_quick", "ssh", "wg0", "enabled"],
  ] as [string, ...string[]][])
    await expect(machine.run(program, args), [program, ...args].join(" ")).rejects.toThrow("does not allow");
  for (const stdin of [
    'include "/etc/shadow"',
    'define a = 1include "/etc/shadow"',
    "add table ip x\ninclude'/etc/shadow'",
  ])
    await expect(machine.run("nft", ["-f", "-"], { stdin }), stdin).rejects.toThrow("does not allow");
  const config =
    "port=5301\nlisten-address=10.8.0.1\nfilter-rr=HTTPS,SVCB\nserver=1.1.1.1\nfilter-AAAA\nserver=/example.com/1.1.1.1@198.18.0.10\n";
  const sets = "4#inet#krug#asked_ab12_v4,6#inet#krug#asked_ab12_v6";
  const bring = (stdin: string) => machine.run("krug-resolver", ["bring", "1", "0123456789abcdef"], { stdin });
  await expect(bring(`${config}nftset=/example.com/${sets}\n`)).rejects.toMatchObject({ reason: "not_found" });
  for (const line of [
    "conf-file=/etc/shadow",
    "dhcp-script=/bin/sh",
    "server=/etc/shadow",
    "server=/example.com/1.1.1.1@eth0",
    "nftset=/example.com/4#inet#filter#input",
    `nftset=/example.com/${sets}\\`,
    "port=53",
  ])
    await expect(bring(`${config}${line}\n\n`), line).rejects.toThrow("does not allow");
  await expect(machine.run("krug-resolver", ["watch", "1"])).rejects.toThrow("does not allow");
  // Speed limits, on the panel's own device.
  for (const line of [
    "class delete dev eth0 classid 6b72:2",
    "qdisc replace dev eth0 root handle 6b72: htb",
    "qdisc replace dev krug-speed parent 6b72:2 handle 2: bfifo limit 1\\nexec",
    "filter add dev krug-speed bpf obj /tmp/x",
    "exec bpf graft /tmp/x",
  ])
    await expect(machine.run("tc", ["-batch", "-"], { stdin: `${line}\n\n` }), line).rejects.toThrow("does not allow");
  for (const args of [
    ["-batch", "/etc/shadow"],
    ["class", "show", "dev", "eth0"],
    ["qdisc", "delete", "dev", "krug-speed", "root"],
  ])
    await expect(machine.run("tc", args)).rejects.toThrow("does not allow");
  // Links below /proc lead everywhere.
  for (const path of [
    "self/root/etc/shadow",
    "self/environ",
    "1/environ",
    "self/cwd/etc/shadow",
    "self/fd/0",
    "stat\n",
    "kcore",
  ])
    await expect(machine.readFile(`/proc/${path}`), path).rejects.toThrow("does not allow");
  for (const path of [
    "/proc/sys/net/ipv4/ip_forward",
    "/proc/net/dev",
    "/proc/sys/kernel/random/boot_id",
    "/proc/self/status",
  ])
    expect(await machine.readFile(path), path).not.toBeNull();
  for (const path of ["/etc/shadow", "/proc/../etc/shadow", "/proc/sys/net/ipv4/../../../../etc/shadow"]) {
    await expect(machine.readFile(path), path).rejects.toThrow("does not allow");
    await expect(machine.writeFile(path, "1"), path).rejects.toThrow("does not allow");
    await expect(machine.ask(path, "?", "!"), path).rejects.toThrow("does not allow");
  }
  await expect(
    machine.start("wireguard-go", ["--foreground", "wg0"], { environment: { LD_PRELOAD: "/x" } }),
  ).rejects.toThrow();
});

test("a call meant for one thing is not done to another in its place", async () => {
  const path = join(folder, "socket");
  writeFileSync(path, "");
  const identity = await machine.identify(path);
  if (identity === null) throw new Error("it cannot be identified");
  const only = { path, identity };
  expect(await machine.run("printf", ["%s", "done"], { only })).toBe("done");
  rmSync(path);
  writeFileSync(join(folder, "between"), "");
  writeFileSync(path, "");
  const marks = join(folder, "marks");
  const refused = { name: "NoLonger", outcome: "refused" };
  expect(await failureOf(machine.run("bash", ["-c", `touch ${marks}`], { only }))).toMatchObject(refused);
  expect(await failureOf(machine.ask(path, "set=1\n\n", "\n\n", { only }))).toMatchObject(refused);
  await expect(machine.run("true", [], { only: { ...only, path: "/etc/shadow" } })).rejects.toThrow("does not allow");
  await expect(
    machine.run("sh", [], { only: { path, identity: (await machine.identify(path)) ?? "" } }),
  ).rejects.toThrow("does not allow");
  expect(existsSync(marks)).toBe(false);
});

test("a socket's answer may come in pieces; one that is silent, closes early or is absent is distinguished", async () => {
  const path = join(folder, "socket");
  let answer = (socket: Socket): unknown =>
    setTimeout(() => socket.write("a=1\nerrno=0\n", () => socket.write("\n")), 10);
  const open = new Set<Socket>();
  const server = createServer((socket) => {
    open.add(socket);
    socket.once("data", () => answer(socket));
  }).listen(path);
  await new Promise((resolve) => server.once("listening", resolve));
  const ask = (to = path, timeoutMs?: number) =>
    failureOf(machine.ask(to, "get=1\n\n", "\n\n", timeoutMs === undefined ? {} : { timeoutMs }));
  try {
    expect(await machine.ask(path, "get=1\n\n", "\n\n")).toBe("a=1\nerrno=0\n\n");
    answer = (socket) => socket.end("half");
    expect(await ask()).toMatchObject({ name: "NobodyAnswers", outcome: "unknown" });
    answer = () => undefined;
    expect(await ask(path, 50)).toMatchObject({ name: "AnswerLost", outcome: "unknown" });
    expect(await ask(join(folder, "nowhere"))).toMatchObject({ name: "NobodyAnswers", outcome: "refused" });
  } finally {
    for (const socket of open) socket.destroy();
    server.close();
  }
});

test("a persistent program reports when it ended; a followed one sends its lines and then its end", async () => {
  const may = join(folder, "may-end");
  const started = await machine.start("bash", ["-c", `until [ -e ${may} ]; do sleep 0.02; done; exit 7`]);
  expect(started.failure()).toBeNull();
  writeFileSync(may, "");
  await expect.poll(() => started.failure(), LONG).toMatchObject({ reason: "failed", exitCode: 7 });
  expect((await machine.start("no-such-program", [])).failure()).toMatchObject({ reason: "not_found" });

  const lines: string[] = [];
  await new Promise<void>((onEnd) => {
    machine.follow("bash", ["-c", "echo один; printf 'два\\nthree'"], { onLine: (line) => lines.push(line), onEnd });
  });
  expect(lines).toEqual(["один", "два"]);
});

test("requests pending when the connection ends may have been done; later ones were not", async () => {
  const running = failureOf(machine.run("sleep", ["20"]));
  await machine.run("true", []);
  session.close();
  expect(await running).toMatchObject({ name: "ConnectionLost", outcome: "unknown" });
  expect(await failureOf(machine.run("true", []))).toMatchObject({ name: "ConnectionLost", outcome: "unreachable" });
});

test("no request outlives the connection, except programs started to persist", async () => {
  const marks = join(folder, "marks");
  const fileOf = (name: string) => join(folder, `${name}.pid`);
  /** Prints its name, and leaves its mark once it may. */
  const script = (name: string) =>
    `echo $$ > ${fileOf(name)}; until [ -e ${folder}/may ]; do sleep 0.02; done; echo ${name} >> ${marks}`;
  const numberOf = (name: string) => (existsSync(fileOf(name)) ? Number(readFileSync(fileOf(name), "utf8")) : 0);
  await machine.start("bash", ["-c", script("stays")]);
  void machine.run("bash", ["-c", script("run")]).catch(() => undefined);
  machine.follow("bash", ["-c", script("followed")], { onLine() {}, onEnd() {} });
  for (const name of ["stays", "run", "followed"]) await expect.poll(() => numberOf(name), LONG).toBeGreaterThan(0);
  session.close();
  for (const name of ["run", "followed"]) await expect.poll(() => isAlive(numberOf(name)), LONG).toBe(false);
  writeFileSync(join(folder, "may"), "");
  await expect.poll(() => existsSync(marks) && readFileSync(marks, "utf8"), LONG).toBe("stays\n");
});

test.each([
  ["nothing", "exec sleep 20", /.*/],
  ["a login message", "echo Welcome to the machine; exit 1", /respond: Welcome to the machine/],
  ["more than a login message", "yes | head -c 300000; exec sleep 20", /respond: y y y/],
  ["an older agent", "printf '0 hello 1\\n0'; exec sleep 20", /has version 0/],
])("a stream that says %s is not an agent's", async (name, script, message) => {
  const stream = programStream("bash", ["-c", script]);
  if (name === "nothing") setTimeout(() => stream.destroy(), 50);
  const failure = await failureOf(openAgentSession(stream));
  expect(failure).toMatchObject({ outcome: "unreachable" });
  expect(failure?.message).toMatch(message);
});

test("a shell's output before the agent's is skipped, in whatever pieces it comes", async () => {
  const noisy = programStream("bash", [
    "-c",
    `printf 'Welcome\\n0 hello'; sleep 0.05; echo; echo '10 lo 1'; printf 'no line'; exec perl ${join(folder, "agent.pl")}`,
  ]);
  const mine = await openAgentSession(noisy);
  expect((await mine.ask("find", ["perl"], PATIENTLY)).fields.toString()).toBe("/usr/bin/perl");
  mine.close();
});

const sumOf = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex");
/** Ends tests that hang: requests here are answered at once, or once a busy machine has received a megabyte. */
const PATIENTLY = { timeoutMs: 50_000 };
const asked = async (word: string, ...fields: (string | Uint8Array)[]) => {
  const said = await session.ask(word, fields, PATIENTLY);
  return [said.word, ...said.fields.map((field) => field.toString())];
};

test("an engine comes in parts and takes its place only once it is whole", async () => {
  const engine = Buffer.from(`#!/bin/sh\nexit 7\n${"\0ÿ".repeat(100_000)}`, "latin1");
  const path = join(folder, "engine");
  expect(await asked("engine")).toEqual(["is"]);
  expect(await asked("part", "0", engine.subarray(0, 1_000))).toEqual(["is"]);
  expect(await asked("place", sumOf(engine))).toEqual(["other"]);
  expect(readdirSync(folder)).not.toContain("engine");
  expect(readdirSync(folder)).not.toContain("engine.new");

  expect(await asked("part", "0", engine.subarray(0, 1_000))).toEqual(["is"]);
  expect((await asked("part", "999", engine.subarray(1_000)))[0]).toBe("refused");
  expect(await asked("part", "0", Buffer.from("another try"))).toEqual(["is"]);
  expect(await asked("part", "0", engine.subarray(0, 1_000))).toEqual(["is"]);
  expect(await asked("part", "1000", engine.subarray(1_000))).toEqual(["is"]);
  expect(await asked("place", sumOf(engine))).toEqual(["is"]);
  expect(readFileSync(path).equals(engine)).toBe(true);
  expect(statSync(path).mode & 0o7777).toBe(0o755);
  expect(await asked("engine")).toEqual(["is", sumOf(engine)]);
  expect(await machine.findProgram(path)).toBe(path);
  const started = await machine.start(path, ["--foreground", "awg0"]);
  await expect.poll(() => started.failure()).toMatchObject({ exitCode: 7 });
  await expect(machine.start(path, ["awg0"])).rejects.toThrow("does not allow");
});

test("an engine that grows too large, or is meant for another place, is refused", async () => {
  expect((await asked("part", String(MIB), "x"))[0]).toBe("refused");
  expect((await asked("part", "0", Buffer.alloc(MIB + 1)))[0]).toBe("refused");
  expect(await asked("part", "/etc/passwd", "x")).toEqual(["forbidden"]);
  expect(readdirSync(folder)).not.toContain("engine.new");
});

test("tunnels that could not be saved for a reboot are saved later", async () => {
  const tries = join(folder, "tries");
  const script = `#!/bin/sh\necho "$1" >> ${tries}\n[ "$(wc -l < ${tries})" -gt 2 ]\n`;
  writeFileSync(join(folder, "setup"), script, { mode: 0o755 });
  await machine.ask(join(folder, "gone"), "set=1\n\n", "\n\n").catch(() => undefined);
  const tried = () => (existsSync(tries) ? readFileSync(tries, "utf8") : "");
  await expect.poll(tried, { timeout: 20_000 }).toBe("keep\n".repeat(3));
});

/** A change to a tunnel, as the helper sees it. */
const setting = (by: AgentSession) =>
  makeAgentMachine(async () => by).run("wg", ["set", "krug-none", "listen-port", "1"]);

test("a machine obeys the newest generation of a club it has seen, and no older one", async () => {
  const restored: Generation = { ...OWN, number: 2, token: randomUUID(), since: 1_795_000_000_000 };
  // There is no such interface, but it is tried.
  expect(await failureOf(setting(session))).toMatchObject({ program: "wg" });
  const newer = await again();
  writeFileSync(join(folder, "setup"), "#!/bin/sh\n", { mode: 0o755 });
  await claim(newer, OWN, true);
  await claim(newer, restored, false);
  const { club: _, ...remembered } = restored;
  expect(await failureOf(setting(session))).toMatchObject({ name: "Superseded", outcome: "refused", by: remembered });
  for (const work of [
    () => machine.start("yes", []),
    () => machine.writeFile("/proc/sys/net/ipv4/ip_forward", "1"),
    () => machine.run("krug-setup", ["cancel", randomUUID()]),
    () => session.ask("part", ["0", "x"], PATIENTLY).then(refuseUnheld),
  ])
    expect(await failureOf(work())).toMatchObject({ name: "Superseded" });
  expect(existsSync(join(folder, "engine.new"))).toBe(false);
  // It may read, and the newer one may change.
  expect(await machine.readFile("/proc/sys/net/ipv4/ip_forward")).toMatch(/^[01]/);
  expect(await failureOf(setting(newer))).toMatchObject({ program: "wg" });
  // Neither is obeyed again: not the old one, nor another restore of the same backup, nor over another connection.
  for (const other of [OWN, { ...restored, token: randomUUID() }])
    for (const isLook of [true, false]) {
      const late = await again();
      expect(await failureOf(claim(late, other, isLook))).toMatchObject({ name: "Superseded", by: remembered });
      expect(await failureOf(setting(late))).toMatchObject({ name: "TypeError" });
      late.close();
    }
  await claim(newer, { ...restored, number: 3, token: randomUUID() }, false);
  // Another club's panel is not a newer one.
  const stranger = await again();
  await claim(stranger, { ...OWN, club: randomUUID() }, false);
  expect(await failureOf(setting(stranger))).toMatchObject({ program: "wg" });
  for (const each of [newer, stranger]) each.close();
});

test("a connection that has claimed no generation changes nothing", async () => {
  const looking = await again();
  await claim(looking, { ...OWN, number: 7 }, true);
  expect(await failureOf(setting(looking))).toMatchObject({ name: "TypeError" });
  // Reading stored nothing.
  expect(await failureOf(setting(session))).toMatchObject({ program: "wg" });
  looking.close();
});

test("a newer panel waits for the running change, and is obeyed after it", async () => {
  // A reader waits until somebody writes.
  const gate = join(folder, "gate");
  execFileSync("mkfifo", [gate]);
  const [newer, other] = [await again(), await again()];
  const order: string[] = [];
  const changing = machine.run("cat", [gate]).then(() => order.push("changed"));
  // Opens once the change reads it.
  const opened = await open(gate, "w");
  const claiming = claim(newer, { ...OWN, number: 2, token: randomUUID() }, false).then(() => order.push("claimed"));
  // A full request and answer later it still waits.
  await other.ask("find", ["perl"], PATIENTLY);
  expect(order).toEqual([]);
  await opened.close();
  await Promise.all([changing, claiming]);
  expect(order).toEqual(["changed", "claimed"]);
  expect(await failureOf(setting(session))).toMatchObject({ name: "Superseded" });
  for (const each of [newer, other]) each.close();
});

test.each(["", "x", "../../../etc/passwd", `${CLUB}/../x`, `${CLUB}\n`])("%j is not a club's name", async (club) => {
  expect((await session.ask("claim", [club, "1", CLUB, "0"], PATIENTLY)).word).toBe("forbidden");
  expect((await session.ask("remembered", [club], PATIENTLY)).fields).toEqual([]);
});
