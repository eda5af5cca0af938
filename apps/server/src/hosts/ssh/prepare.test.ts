import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, onTestFinished, test } from "vitest";
import { startSshDouble } from "../../dev/ssh-double.ts";
import { DiskFull, SshFailure } from "../remote.ts";
import { connectSsh } from "./connection.ts";
import { newSshKey } from "./new-key.ts";
import { askAbout, prepareMachine } from "./prepare.ts";

const PROGRAMS = {
  agent: "#!/usr/bin/perl\n# the agent\n",
  setup: "#!/bin/bash\n# the set-up\n",
  container: "#!/usr/bin/perl\n# the container's first process\n",
};
const PUBLIC_KEY = newSshKey().publicKey;

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "krug-prepare-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

/** What root's shell was given. */
const given = () => readFileSync(join(folder, "given"), "utf8");
const keys = () => readFileSync(join(folder, ".ssh/authorized_keys"), "utf8");
const ROOTS_SHELL = `cat > ${"$HOME"}/given`;
const ASKS = (then: string) => `printf krug-password: >&2; read -r password; ${then}`;

/** A machine whose sudo is this script, and whose root's shell only keeps what it is given. */
async function connectTo(sudo: string, path = "/usr/bin:/bin") {
  const double = await startSshDouble({
    password: "right",
    run: (command) => {
      const script = command.startsWith("sudo ") ? sudo : command;
      return ["env", "-i", `HOME=${folder}`, `PATH=${path}`, "bash", "-c", script];
    },
  });
  onTestFinished(() => double.close());
  const { host, port } = double;
  const target = {
    host,
    port,
    username: "ops",
    login: { password: "right" },
    hostKey: null,
    isPrepared: false,
    generation: null,
  };
  const connection = await connectSsh(target);
  onTestFinished(() => connection.end());
  const prepare = (sudoPassword: string | null) =>
    prepareMachine(connection, { username: "ops", publicKey: PUBLIC_KEY, sudoPassword }, PROGRAMS).then(
      () => "prepared",
      (error: unknown) => (error instanceof SshFailure ? error.problem : String(error)),
    );
  return { connection, prepare };
}

test("sudo gets the password when it asks for it, and root's shell gets the programs and the one rule", async () => {
  const { prepare } = await connectTo(ASKS(`[ "$password" = right ] || exit 1; echo krug-ready; ${ROOTS_SHELL}`));
  expect(await prepare("right")).toBe("prepared");
  expect(given()).toContain(PROGRAMS.agent);
  expect(given()).toContain(PROGRAMS.setup);
  expect(given()).toContain(PROGRAMS.container);
  expect(given()).toContain('ops ALL=(root) NOPASSWD: /usr/local/lib/krug/agent ""');
  expect(given()).not.toContain("right");
});

test("a sudo that asks for nothing is told no password", async () => {
  const { prepare } = await connectTo(`echo krug-ready; ${ROOTS_SHELL}`);
  expect(await prepare("very-secret")).toBe("prepared");
  expect(given()).not.toContain("very-secret");
});

test.each([
  ["refuses the password", ASKS(`echo 'Sorry, try again.' >&2; ${ASKS("exit 1")}`), "wrong"],
  ["knows the account not", ASKS("echo 'ops is not in the sudoers file.' >&2; exit 1"), "right"],
  ["asks for a password that nobody gave", ASKS("exit 1"), null],
  ["is not there", "exit 127", "right"],
])("a sudo that %s is told, and root's shell gets nothing", async (_, sudo, password) => {
  const { prepare } = await connectTo(sudo);
  expect(await prepare(password)).toBe("no_sudo");
  expect(given).toThrow();
});

test("the panel's key is let in once, however often it is put there", async () => {
  const { prepare } = await connectTo(`echo krug-ready; ${ROOTS_SHELL}`);
  await prepare(null);
  await prepare(null);
  expect(keys().split("\n").filter(Boolean)).toEqual([`restrict ${PUBLIC_KEY} krug`]);
});

test("what fails on a full disk is told as that", async () => {
  const { connection } = await connectTo("exit 1", `${folder}:/usr/bin:/bin`);
  const put = (): Promise<unknown> =>
    prepareMachine(connection, { username: "root", publicKey: PUBLIC_KEY, sudoPassword: null }, PROGRAMS).catch(
      (error: unknown) => error,
    );
  const program = (name: string, script: string) =>
    writeFileSync(join(folder, name), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  program("mkdir", "exit 1");
  expect(await put()).not.toBeInstanceOf(DiskFull);
  program("df", "echo 'Filesystem 1024-blocks Used Available Capacity Mounted on'; echo '/dev/vda 9 9 0 100% /'");
  expect(await put()).toBeInstanceOf(DiskFull);
});

test("a machine that says more than it was asked is not listened to", async () => {
  const flood = "head -c 20000000 /dev/zero";
  for (const sudo of [flood, `${flood} >&2`, `echo krug-ready; ${flood}`, `${ASKS(flood)}`]) {
    const { prepare } = await connectTo(`${sudo}; sleep 60`);
    expect([sudo, await prepare("right")]).toEqual([sudo, expect.stringMatching(/^(no_sudo|no_agent)$/)]);
  }
  const { connection } = await connectTo("exit 1");
  const open = (command: string) => connection.open(command.replace("/bin/sh -s", `${flood}; sleep 60`));
  await expect(askAbout({ ...connection, open })).rejects.toThrow("says more than it was asked");
}, 20_000);

test("no account's name and no key gets into a command or a file unless it is one", async () => {
  const { connection } = await connectTo("exit 1");
  const wish = { username: "ops", publicKey: PUBLIC_KEY, sudoPassword: null };
  for (const change of [
    { username: "ops ALL=(ALL) NOPASSWD: ALL #" },
    { username: "$(id)" },
    { publicKey: `${PUBLIC_KEY}\nssh-ed25519 AAAA` },
    { publicKey: "command=\"id\" ssh-ed25519 AAAA'; id '" },
  ])
    await expect(prepareMachine(connection, { ...wish, ...change }, PROGRAMS)).rejects.toThrow(TypeError);
});

test("a machine says what it is without any right", async () => {
  const { connection } = await connectTo("exit 1");
  expect(await askAbout(connection)).toMatchObject({
    system: expect.stringContaining(" "),
    architecture: expect.stringMatching(/^(x86_64|aarch64)$/),
    memory: expect.any(Number),
  });
});
