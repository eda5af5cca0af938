import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Duplex } from "node:stream";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { Machine } from "../machine.ts";
import { makeAgentMachine } from "./agent-machine.ts";
import { type AgentSession, claim, openAgentSession } from "./agent-session.ts";
import { ENGINE_PATH } from "./engine.ts";

const CLUB = "6f1c2b6e-0f0a-4c39-9d6a-2f6d0a4f7b11";

let folder: string;
let machine: Machine;
let session: AgentSession;
let agent: ChildProcess;
let container: ChildProcess | undefined;

const at = (name: string) => join(folder, name);
const program = (name: string, script: string) => writeFileSync(at(name), `#!/bin/bash\n${script}\n`, { mode: 0o755 });
/** One of the panel's programs, with this folder as the server's. */
const ours = (name: string) =>
  readFileSync(new URL(name, import.meta.url), "utf8")
    .replaceAll("/usr/local/lib/krug", folder)
    .replaceAll("/run/krug", folder)
    .replaceAll("/var/lib/krug", folder)
    .replace("my @FOLDERS = qw(", `my @FOLDERS = qw(${folder} `);
/** As the machine is told to start its engine; the helper's own path is in `folder` here. */
const startEngine = () => machine.start(at("engine"), ["--foreground", "--type", "wireguard", "wg0"]);
const started = () => (existsSync(at("started")) ? readFileSync(at("started"), "utf8") : "");

/** Of the container's first process: its engines. */
const children = () => {
  const pid = container?.pid;
  const line = pid === undefined ? "" : readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8");
  return line.split(" ").filter(Boolean).map(Number);
};

const startContainer = async () => {
  container = spawn("perl", [at("container.pl")], { stdio: "inherit" });
  await expect.poll(() => existsSync(at("tunnels.sock"))).toBe(true);
  // Bound does not mean listening yet.
  await expect.poll(() => machine.run("wg", ["show", "interfaces"]).catch(() => null)).not.toBeNull();
};

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "krug-container-"));
  for (const name of ["agent.pl", "container.pl"]) writeFileSync(at(name), ours(name));
  mkdirSync(at("generations"));
  writeFileSync(at("in-container"), "");
  program("setup", `echo "$*" >> ${at("setups")}`);
  program("engine", `trap 'exit 7' TERM; echo "$LOG_LEVEL $*" > ${at("started")}; while :; do sleep 0.05; done`);
  // Without root nobody can enter: this prints what would run in there.
  program("nsenter", `echo "$*"`);
  agent = spawn("perl", [at("agent.pl")], { stdio: ["pipe", "pipe", "inherit"] });
  session = await openAgentSession(Duplex.from({ writable: agent.stdin!, readable: agent.stdout! }));
  await claim(session, { club: CLUB, number: 1, token: CLUB, since: 0 }, false);
  machine = makeAgentMachine(async () => session);
});
const hasEnded = (program: ChildProcess) => program.exitCode !== null || program.signalCode !== null;
afterEach(async () => {
  // In a container they end with it.
  for (const pid of children()) process.kill(pid, "SIGKILL");
  const ending = [agent, ...(container ? [container] : [])].filter((program) => !hasEnded(program));
  const ended = ending.map((program) => new Promise((done) => program.once("exit", done)));
  container?.kill("SIGKILL");
  container = undefined;
  session.close();
  agent.kill();
  await Promise.all(ended);
  // Programs they started may still write their last line there.
  rmSync(folder, { recursive: true, maxRetries: 10 });
});

describe.skipIf(process.platform !== "linux")("a server whose tunnels are in a container", () => {
  test("restores its tunnels first, runs wg next to its first process, and an engine as its child", async () => {
    await startContainer();
    await expect.poll(() => existsSync(at("setups")) && readFileSync(at("setups"), "utf8")).toBe("restore\n");
    expect(await machine.run("wg", ["show", "wg0", "dump"])).toBe(
      `--target ${container?.pid} --mount --pid -- wg show wg0 dump\n`,
    );
    const engine = await startEngine();
    await expect.poll(started).toBe("error --foreground --type wireguard wg0\n");
    expect(engine.failure()).toBeNull();
    for (const pid of children()) process.kill(pid, "SIGTERM");
    await expect.poll(() => engine.failure()).toMatchObject({ reason: "failed", exitCode: 7 });
    // However far it has come: one that has been forked is not the engine yet.
    for (let round = 0; round < 10; round += 1) {
      const other = await startEngine();
      await expect.poll(() => children().length, { interval: 1 }).toBe(1);
      other.stop();
      await expect.poll(() => children().length, { interval: 1 }).toBe(0);
    }
  });

  test("ends no engine when the panel's connection ends", async () => {
    await startContainer();
    await startEngine();
    await expect.poll(started).not.toBe("");
    session.close();
    await new Promise((ended) => agent.once("exit", ended));
    expect(children()).toHaveLength(1);
  });

  test("reports that it does not run, and is restarted once, however often it is asked", async () => {
    expect(await machine.findProgram("wg"), "it is there all the same").toBe("wg");
    const asking = ["show interfaces", "show all dump", "show wg0 dump"].map((line) =>
      expect(machine.run("wg", line.split(" "))).rejects.toMatchObject({
        exitCode: 125,
        stderr: "the container with the tunnels does not run",
      }),
    );
    await Promise.all(asking);
    await expect.poll(() => existsSync(at("setups")) && readFileSync(at("setups"), "utf8")).toBe("container\n");
    expect((await startEngine()).failure()).toMatchObject({ reason: "not_started" });
  });

  test("starts nothing but an engine by the line that the helper sends", async () => {
    await startContainer();
    const { createConnection } = await import("node:net");
    for (const line of [
      `start ${at("engine")} --foreground wg0; id\n`,
      `start ${at("setup")} leave root\n`,
      `start /bin/bash --foreground wg0\n`,
      `start ${at("engine")} --foreground ../wg0\n`,
      "x".repeat(5_000),
    ]) {
      const visitor = createConnection(at("tunnels.sock"));
      visitor.write(line);
      await new Promise((closed) => visitor.once("close", closed).resume());
    }
    expect(started()).toBe("");
  });
});

test("the engine's path here is the one that the helper has", () => {
  expect(ours("agent.pl")).toContain(`my $ENGINE = '${ENGINE_PATH.replace("/usr/local/lib/krug", folder)}'`);
});
