import { createServer } from "node:net";
import { describe, expect, onTestFinished, test } from "vitest";
import { type SshDouble, type SshDoubleOptions, startSshDouble } from "../../../testing/ssh-double.ts";
import { PasswordRefused, type SshFailure, type Target } from "../remote.ts";
import { makeAgentMachine } from "./agent-machine.ts";
import { AGENT_PATH, connectSsh, keepConnection } from "./connection.ts";
import { newSshKey } from "./new-key.ts";
import { changePassword } from "./new-password.ts";

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

test("the machine's key is shown as OpenSSH prints it", async () => {
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

test("it signs in by a password, by a password requested as a question, and by a key", async () => {
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

test("each reason for having no connection is distinguished, and none holds the password", async () => {
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

test("one connection serves all calls, and a new one is opened when it is lost", async () => {
  const double = await machineWith();
  const { machine } = kept(targetOf(double, { hostKey: double.fingerprint }));
  const names = await Promise.all(Array.from({ length: 20 }, () => machine.readFile("/proc/sys/kernel/ostype")));
  expect(new Set(names)).toEqual(new Set(["Linux\n"]));
  expect(double.commands).toEqual([AGENT_PATH]);
  double.cut();
  await expect.poll(() => machine.readFile("/proc/sys/kernel/ostype").catch(() => null)).toBe("Linux\n");
  expect(double.commands).toHaveLength(2);
});

test("after the helper ends all calls share one new connection, and none is left behind", async () => {
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

test("one closed while it opens is not left behind, and the next call waits for nothing", async () => {
  const double = await machineWith();
  let asked = 0;
  const connection = keepConnection(
    async () => {
      // It connects right after this, and must exchange a lot with the machine before it is open.
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

test("an account that is not root uses sudo only for our own program, without a password", async () => {
  const double = await machineWith();
  const { machine } = kept(targetOf(double, { username: "admin" }));
  expect(await machine.readFile("/proc/sys/kernel/ostype")).toBe("Linux\n");
  expect(double.commands).toEqual([`sudo -n ${AGENT_PATH}`]);
});

test("a refused login is not retried for 1, 2, 4, 8 and then every 15 minutes", async () => {
  const double = await machineWith();
  const { clock, machine } = kept(targetOf(double, { login: { password: "wrong" } }));
  const tcpProbes = () => double.tries.filter(({ method }) => method === "password").length;
  const ask = () => failureOf(machine.readFile("/proc/sys/kernel/ostype"));
  for (const [turn, minutes] of [1, 2, 4, 8, 15, 15].entries()) {
    expect(await ask()).toMatchObject({ problem: "login_refused" });
    expect(tcpProbes()).toBe(turn + 1);
    clock.now += minutes * MINUTE_MS - 1;
    expect(await ask()).toMatchObject({ problem: "login_refused" });
    expect(tcpProbes()).toBe(turn + 1);
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

test("a machine without our program reports that, and was not changed", async () => {
  const { machine } = kept(targetOf(await machineWith({ run: () => ["sh", "-c", "echo no such file >&2; exit 127"] })));
  expect(await failureOf(machine.run("uname", ["-s"]))).toMatchObject({ problem: "no_agent", outcome: "unreachable" });
});

const speaks =
  (script: string): SshDoubleOptions["run"] =>
  (command) =>
    command.endsWith(AGENT_PATH) ? ["bash", "-c", `${script}; exec perl ${AGENT}`] : null;

test("a server whose account's shell speaks first stays manageable after every reconnect", async () => {
  const double = await machineWith({ run: speaks("echo Welcome to $(hostname), up 3 days; echo fastfetch >&2") });
  const { machine } = kept(targetOf(double));
  expect(await machine.readFile("/proc/sys/kernel/ostype")).toBe("Linux\n");
  double.cut();
  await expect.poll(() => machine.readFile("/proc/sys/kernel/ostype").catch(() => null)).toBe("Linux\n");
});

test.each([
  ["no_shell", "echo This account is currently not available.; exit 1"],
  ["other_command", "echo Only backups here; exit 0"],
  ["root_closed", 'echo \'Please login as the user "debian" rather than the user "root".\'; exit 142'],
  ["password_expired", "echo 'WARNING: Your password has expired.' >&2; exit 1"],
  ["no_sudo", "echo 'sudo: a password is required' >&2; exit 1"],
  ["no_agent", 'echo "Can\'t locate strict.pm in @INC" >&2; exit 2'],
])("output instead of the helper's is reported by its kind and in its own words: %s", async (problem, script) => {
  const { machine } = kept(targetOf(await machineWith({ run: speaks(script) })));
  const failure = await failureOf(machine.run("uname", ["-s"]));
  expect(failure).toMatchObject({ problem, outcome: "unreachable" });
  expect(failure?.message).toContain(/echo ['"]?([\w: ]+)/.exec(script)?.[1]);
});

test("an sshd that runs no commands is reported as such", async () => {
  const { machine } = kept(targetOf(await machineWith({ run: () => null })));
  expect(await failureOf(machine.run("uname", ["-s"]))).toMatchObject({ problem: "no_shell" });
});

describe("signing in", () => {
  const pair = newSshKey();
  const both = { login: { password: "right", privateKey: pair.privateKey } };
  const signIn = async (options: Partial<SshDoubleOptions>, target: Partial<Target> = both) => {
    const double = await machineWith(options);
    const failure = await failureOf(
      connectSsh(targetOf(double, target)).then((connection) => {
        connection.end();
        return connection.hasNewPassword;
      }),
    );
    return { failure, ways: double.tries.map(({ method }) => method) };
  };

  test("a machine that knows the panel's key is not sent the password, whether or not it accepts any", async () => {
    for (const ways of [["publickey"], ["password", "publickey"]] as const) {
      const { failure, ways: used } = await signIn({ ways, authorizedKey: pair.publicKey });
      expect([failure, new Set(used)]).toEqual([null, new Set(["publickey"])]);
    }
  });

  test("one that accepts only keys and lacks the panel's is reported as such, and is not sent the password either", async () => {
    const { failure, ways } = await signIn({ ways: ["publickey"] });
    expect(failure).toMatchObject({ problem: "keys_only", message: expect.stringContaining("publickey") });
    expect(ways).not.toContain("password");
  });

  test.each([
    [
      "by another question",
      {
        onlyByQuestion: true,
        questions: [
          { prompt: "Password: ", answer: "right" },
          { prompt: "Verification code: ", answer: "1" },
        ],
      },
    ],
    [
      "by another question, which comes first",
      { onlyByQuestion: true, questions: [{ prompt: "Verification code: ", answer: "1" }] },
    ],
    ["after a password that was right", { wantsSecond: true }],
    ["after a key that was right", { wantsSecond: true, authorizedKey: pair.publicKey }],
  ])("a second factor is reported as such: %s", async (_, options) => {
    const { failure } = await signIn(options);
    expect(failure).toMatchObject({ problem: "second_factor" });
  });

  test("a repeated question means a refused password, not a second factor", async () => {
    const questions = [
      { prompt: "Password: ", answer: "right" },
      { prompt: "Password: ", answer: "" },
    ];
    expect((await signIn({ onlyByQuestion: true, questions })).failure).toMatchObject({ problem: "login_refused" });
  });

  test("a refused second factor is not retried every few seconds", async () => {
    const double = await machineWith({ wantsSecond: true });
    const { clock, machine } = kept(targetOf(double));
    const ask = () => failureOf(machine.readFile("/proc/sys/kernel/ostype"));
    await ask();
    const { length } = double.tries;
    clock.now += MINUTE_MS - 1;
    expect(await ask()).toMatchObject({ problem: "second_factor" });
    expect(double.tries).toHaveLength(length);
  });

  test("a banner, however long, keeps nobody out", async () => {
    expect((await signIn({ banner: `${"Authorised users only. ".repeat(500)}\nPassword: ` })).failure).toBeNull();
  });

  test("an sshd without a key exchange in common is reported with the names of its own", async () => {
    // ssh2's own server cannot speak these: its first words are enough.
    const names = "mlkem768x25519-sha256,sntrup761x25519-sha512@openssh.com";
    const server = createServer((socket) => {
      socket.on("error", () => {});
      socket.write("SSH-2.0-OpenSSH_10.0\r\n");
      socket.write(kexInit(names));
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => void server.close());
    const { port } = server.address() as { port: number };
    const failure = await failureOf(connectSsh(targetOf({ host: "127.0.0.1", port })));
    expect(failure).toMatchObject({ problem: "no_algorithm", message: expect.stringContaining(names) });
  });

  test("a password that must be changed in the dialogue is reported, and changed if there is a new one", async () => {
    const questions = [
      { prompt: "Password: ", answer: "right" },
      { prompt: "New password: ", answer: "the-new-one" },
      { prompt: "Retype new password: ", answer: "the-new-one" },
    ];
    const options = { onlyByQuestion: true, questions };
    expect((await signIn(options)).failure).toMatchObject({ problem: "password_expired" });
    const login = { password: "right", newPassword: "the-new-one" };
    expect((await signIn(options, { login })).failure).toBeNull();
  });
});

/** A server's first message (RFC 4253, section 7.1), with these key exchanges. */
function kexInit(kex: string): Buffer {
  const lists = [
    kex,
    "ssh-ed25519",
    "aes128-ctr",
    "aes128-ctr",
    "hmac-sha2-256",
    "hmac-sha2-256",
    "none",
    "none",
    "",
    "",
  ];
  const list = (text: string) => {
    const length = Buffer.alloc(4);
    length.writeUInt32BE(text.length);
    return Buffer.concat([length, Buffer.from(text)]);
  };
  const payload = Buffer.concat([Buffer.from([20]), Buffer.alloc(16), ...lists.map(list), Buffer.alloc(5)]);
  const padding = 8 - ((payload.length + 5) % 8) + 8;
  const head = Buffer.alloc(5);
  head.writeUInt32BE(payload.length + padding + 1);
  head[4] = padding;
  return Buffer.concat([head, payload, Buffer.alloc(padding)]);
}

describe("a password that has to be changed", () => {
  const passwords = { current: "old-secret", next: "new-secret" };
  /** sshd's own, on a terminal: `script` runs instead of our command. */
  const change = async (script: string) => {
    const double = await machineWith({ password: "old-secret", run: () => ["bash", "-c", script] });
    const connection = await connectSsh(targetOf(double, { login: { password: "old-secret" } }));
    onTestFinished(() => connection.end());
    return failureOf(changePassword(connection, passwords).then(() => null));
  };
  const asks = (prompt: string, answer: string) =>
    `printf '${prompt}'; read -rd $'\\r' said; [ "$said" = ${answer} ] || exit 1`;

  test.each([
    ["root", ["New password: ", "new-secret"], ["Retype new password: ", "new-secret"]],
    [
      "another account",
      ["(current) UNIX password: ", "old-secret"],
      ["New password: ", "new-secret"],
      ["Retype new password: ", "new-secret"],
    ],
    [
      "a Russian one",
      ["Текущий пароль: ", "old-secret"],
      ["Новый пароль: ", "new-secret"],
      ["Повторите ввод нового пароля: ", "new-secret"],
    ],
  ])("is changed in the dialogue of %s", async (_, ...dialogue) => {
    const steps = dialogue.map(([prompt = "", answer = ""]) => asks(prompt, answer));
    expect(
      await change(["echo 'WARNING: Your password has expired.'", ...steps, "echo; echo updated"].join("\n")),
    ).toBeNull();
  });

  test("is not called changed if the machine rejects the new one, and its reason is shown without either", async () => {
    const failure = await change(
      [
        asks("New password: ", "new-secret"),
        "echo; echo 'BAD PASSWORD: new-secret is too simple'",
        "printf 'New password: '; read -rd $'\\r' x",
      ].join("\n"),
    );
    expect(failure).toBeInstanceOf(PasswordRefused);
    expect(failure?.message).toMatch(/^BAD PASSWORD: +is too simple/);
  });

  test("is not called changed if nothing was asked, or the dialogue ended with a failure", async () => {
    expect(await change("exit 0")).toBeInstanceOf(PasswordRefused);
    const steps = [
      asks("New password: ", "new-secret"),
      asks("Retype new password: ", "new-secret"),
      "echo; echo 'passwd: Authentication token manipulation error'; exit 10",
    ];
    expect(await change(steps.join("\n"))).toMatchObject({
      message: expect.stringContaining("Authentication token manipulation error"),
    });
  });
});
