import { createServer } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { type SshDouble, type SshDoubleOptions, startSshDouble } from "../../dev/ssh-double.ts";
import type { SshFailure, Target } from "../remote.ts";
import { makeAgentMachine } from "./agent-machine.ts";
import { AGENT_PATH, connectSsh, keepConnection } from "./connection.ts";
import { newSshKey } from "./new-key.ts";

const AGENT = new URL("agent.pl", import.meta.url).pathname;
const MINUTE_MS = 60_000;

const runAgent: SshDoubleOptions["run"] = (command) => (command.endsWith(AGENT_PATH) ? ["perl", AGENT] : null);

async function machineWith(options: Partial<SshDoubleOptions> = {}): Promise<SshDouble> {
  const double = await startSshDouble({ run: runAgent, password: "right", ...options });
  onTestFinished(() => double.close());
  return double;
}

const targetOf = (double: Pick<SshDouble, "host" | "port">, change: Partial<Target> = {}): Target => ({
  host: double.host,
  port: double.port,
  username: "root",
  login: { password: "right" },
  hostKey: null,
  isPrepared: false,
  generation: null,
  ...change,
});

const failureOf = (work: Promise<unknown>) =>
  work.then(
    () => null,
    (error: SshFailure) => error,
  );

/** With a clock that the test sets. */
function kept(target: Target) {
  const clock = { now: 0 };
  const connection = keepConnection(
    async () => target,
    () => clock.now,
  );
  onTestFinished(() => connection.close());
  return { clock, connection, machine: makeAgentMachine(connection.session) };
}

test("the machine's key is told as OpenSSH prints it", async () => {
  const double = await machineWith();
  const connection = await connectSsh(targetOf(double));
  onTestFinished(() => connection.end());
  expect(connection.hostKey).toBe(double.fingerprint);
  expect(connection.hostKey).toMatch(/^SHA256:[A-Za-z0-9+/]{43}$/);
});

test("a machine that shows another key gets no password", async () => {
  const double = await machineWith();
  const failure = await failureOf(connectSsh(targetOf(double, { hostKey: `SHA256:${"A".repeat(43)}` })));
  expect(failure).toMatchObject({ problem: "host_key_changed", outcome: "unreachable", shownKey: double.fingerprint });
  expect(double.tries).toEqual([]);
});

test("it signs in by a password, by a password that is asked for as a question, and by a key", async () => {
  const pair = newSshKey();
  for (const [options, login] of [
    [{}, { password: "right" }],
    [{ onlyByQuestion: true }, { password: "right" }],
    [{ authorizedKey: pair.publicKey }, { privateKey: pair.privateKey }],
  ] as const) {
    const connection = await connectSsh(targetOf(await machineWith(options), { login }));
    connection.end();
  }
});

test("each reason for which there is no connection is told apart, and none holds the password", async () => {
  const stranger = createServer((socket) => socket.end("220 mail.example ESMTP\r\n"));
  await new Promise<void>((resolve) => stranger.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void stranger.close());
  const { port } = stranger.address() as { port: number };
  const gone = await startSshDouble({ run: runAgent });
  await gone.close();
  const wrong = { login: { password: "very-secret" } };
  for (const [target, problem] of [
    [targetOf(await machineWith(), wrong), "login_refused"],
    [targetOf({ host: "127.0.0.1", port }, wrong), "not_ssh"],
    [targetOf(gone, wrong), "closed"],
    [targetOf({ host: "no-such-machine.invalid", port: 22 }, wrong), "unresolved"],
  ] as const) {
    const failure = await failureOf(connectSsh(target));
    expect(failure).toMatchObject({ problem, outcome: "unreachable" });
    expect(`${failure?.message} ${failure?.stack} ${JSON.stringify(failure)}`).not.toContain("very-secret");
  }
});

test("one connection serves all calls, and a new one is opened when it is gone", async () => {
  const double = await machineWith();
  const { machine } = kept(targetOf(double, { hostKey: double.fingerprint }));
  const names = await Promise.all(Array.from({ length: 20 }, () => machine.readFile("/proc/sys/kernel/ostype")));
  expect(new Set(names)).toEqual(new Set(["Linux\n"]));
  expect(double.commands).toEqual([AGENT_PATH]);
  double.cut();
  await expect.poll(() => machine.readFile("/proc/sys/kernel/ostype").catch(() => null)).toBe("Linux\n");
  expect(double.commands).toHaveLength(2);
});

test("after the helper's end all calls share one new connection, and none is left behind", async () => {
  const double = await machineWith();
  const { connection } = kept(targetOf(double));
  for (let round = 0; round < 2; round += 1) {
    const ended = await connection.session();
    ended.close();
    const sessions = await Promise.all(Array.from({ length: 12 }, () => connection.session()));
    expect(new Set(sessions).size).toBe(1);
    expect(sessions[0]?.isOpen).toBe(true);
    await expect.poll(() => double.connected(), { timeout: 10_000 }).toBe(1);
  }
  connection.close();
  await expect.poll(() => double.connected(), { timeout: 10_000 }).toBe(0);
});

test("one that is closed while it opens is not left behind, and the next call waits for nothing", async () => {
  const double = await machineWith();
  let asked = 0;
  const connection = keepConnection(
    async () => {
      // It connects right after this, and has to ask the machine for much before it is open.
      if (asked++ === 0) setImmediate(() => connection.close());
      return targetOf(double);
    },
    () => 0,
  );
  onTestFinished(() => connection.close());
  expect(await failureOf(connection.session())).toMatchObject({ problem: "lost", outcome: "unreachable" });
  await expect.poll(() => double.connected()).toBe(0);
  expect((await connection.session()).isOpen).toBe(true);
  expect(double.connected()).toBe(1);
  connection.close();
  await expect.poll(() => double.connected()).toBe(0);
});

test("an account that is not root asks sudo for our own program alone, which asks for no password", async () => {
  const double = await machineWith();
  const { machine } = kept(targetOf(double, { username: "admin" }));
  expect(await machine.readFile("/proc/sys/kernel/ostype")).toBe("Linux\n");
  expect(double.commands).toEqual([`sudo -n ${AGENT_PATH}`]);
});

test("a refused login is not tried again for 1, 2, 4, 8 and then every 15 minutes", async () => {
  const double = await machineWith();
  const { clock, machine } = kept(targetOf(double, { login: { password: "wrong" } }));
  const knocks = () => double.tries.filter(({ method }) => method === "password").length;
  const ask = () => failureOf(machine.readFile("/proc/sys/kernel/ostype"));
  for (const [turn, minutes] of [1, 2, 4, 8, 15, 15].entries()) {
    expect(await ask()).toMatchObject({ problem: "login_refused" });
    expect(knocks()).toBe(turn + 1);
    clock.now += minutes * MINUTE_MS - 1;
    expect(await ask()).toMatchObject({ problem: "login_refused" });
    expect(knocks()).toBe(turn + 1);
    clock.now += 1;
  }
});

test("a machine that is away is tried every 5 s, and serves once it is back", async () => {
  const hostKey = newSshKey().privateKey;
  const first = await startSshDouble({ run: runAgent, password: "right", hostKey });
  const { clock, machine } = kept(targetOf(first, { hostKey: first.fingerprint }));
  await first.close();
  const ask = () => failureOf(machine.readFile("/proc/sys/kernel/ostype"));
  expect(await ask()).toMatchObject({ problem: "closed" });
  const double = await machineWith({ hostKey, port: first.port });
  expect(await ask()).toMatchObject({ problem: "closed" });
  clock.now += 5_000;
  expect(await ask()).toBeNull();
  expect(double.commands).toEqual([AGENT_PATH]);
});

test("a machine without our program says so, and was not changed", async () => {
  const { machine } = kept(targetOf(await machineWith({ run: () => ["sh", "-c", "echo no such file >&2; exit 127"] })));
  expect(await failureOf(machine.run("uname", ["-s"]))).toMatchObject({ problem: "no_agent", outcome: "unreachable" });
});
