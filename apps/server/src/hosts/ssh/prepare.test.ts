import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, onTestFinished, test } from "vitest";
import { startSshDouble } from "../../../testing/ssh-double.ts";
import { markOf } from "../firewall.ts";
import { DiskFull, SshFailure, Unfit } from "../remote.ts";
import { connectSsh } from "./connection.ts";
import { newSshKey } from "./new-key.ts";
import { askAbout, cleanMachine, prepareMachine } from "./prepare.ts";

const PROGRAMS = {
  agent: "#!/usr/bin/perl\n# the agent\n",
  setup: "#!/bin/bash\n# the set-up\n",
  container: "#!/usr/bin/perl\n# the container's first process\n",
  resolver: "#!/bin/sh\n# the resolver\n",
  programs: "#!/bin/sh\n# other programs\n",
};
const PUBLIC_KEY = newSshKey().publicKey;
const CLUB = "5f0c8a52-9d1b-4c53-8a8e-3f1f0f8f0a01";

let folder: string;
/** The machine's own programs come first, so that nothing is asked of the real one, where tunnels may run meanwhile. */
let bin: string;
const program = (name: string, script: string) =>
  writeFileSync(join(bin, name), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "krug-prepare-"));
  bin = join(folder, "bin");
  mkdirSync(bin);
  program("nft", "exit 1");
});
afterEach(() => rmSync(folder, { recursive: true }));

/** The input of root's shell. */
const given = () => readFileSync(join(folder, "given"), "utf8");
const keys = () => readFileSync(join(folder, ".ssh/authorized_keys"), "utf8");
/** It does what is requested, with the test's folder as the system's. */
const ROOTS_SHELL = String.raw`tee $HOME/given |
  sed "s|/usr/local/lib/krug|$HOME/lib|g; s|/etc/sudoers.d/krug|$HOME/sudoers|; s|^\[ .*id -u.* = 0 \]|:|" | bash`;
const NOW = Date.parse("2026-11-26T12:00:00Z");
const ASKS = (then: string) => `printf krug-password: >&2; read -r password; ${then}`;

/** A machine whose sudo is this script. `shell` is what its account's shell does before it runs a command, or instead. */
async function connectTo(sudo: string, { shell = "", programs = PROGRAMS } = {}) {
  const double = await startSshDouble({
    password: "right",
    run: (command) => {
      const script = command.startsWith("sudo ") ? sudo : command;
      return ["env", "-i", `HOME=${folder}`, `PATH=${bin}:/usr/bin:/bin`, "bash", "-c", `${shell}\n${script}`];
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
  const prepare = (sudoPassword: string | null, username = "ops") =>
    prepareMachine(connection, { username, publicKey: PUBLIC_KEY, sudoPassword, club: CLUB }, programs, NOW).then(
      () => "prepared",
      (error: unknown) => {
        words = String(error);
        if (error instanceof Unfit) return `${error.failure} ${error.detail}`;
        return error instanceof SshFailure ? error.problem : words;
      },
    );
  let words = "";
  /** `said`: how the last failure was reported. */
  return { connection, prepare, said: () => words };
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

/** sudo has let us in, and root's shell is running. */
const LETS_IN = `echo krug-ready; ${ROOTS_SHELL}`;
const put = () => readdirSync(folder).filter((name) => ["lib", "sudoers", ".ssh"].includes(name));

test("a shell that prints before it runs a command is skipped, on stdout or stderr", async () => {
  const noise =
    "echo 'Welcome to vps, up 3 days'; printf 'system=Alpine\nno line' ; echo 'fastfetch: no tty' >&2; seq 5000";
  const { connection, prepare } = await connectTo(LETS_IN, { shell: noise });
  expect((await askAbout(connection, PROGRAMS, NOW)).system).toMatch(/^(Debian|Ubuntu)/);
  expect(await prepare(null)).toBe("prepared");
  expect(readFileSync(join(folder, "lib/agent"), "utf8")).toBe(PROGRAMS.agent);
});

test.each([
  ["no_shell", "echo 'This account is currently not available.'; exit 1"],
  ["no_shell", "exit 1"],
  ["no_shell", "exit 0"],
  ["other_command", "echo 'Only backups here'; exit 0"],
  ["other_command", "cat"],
  ["other_command", 'echo "You asked for: $BASH_EXECUTION_STRING"; cat'],
  ["root_closed", 'echo \'Please login as the user "ubuntu" rather than the user "root".\'; exit 142'],
  [
    "password_expired",
    "echo 'WARNING: Your password has expired.' >&2; echo 'Password change required but no TTY available.' >&2; exit 1",
  ],
])("output instead of our commands' is reported, and never taken for success: %s, by %s", async (problem, instead) => {
  const { connection, prepare, said } = await connectTo(LETS_IN, { shell: `${instead}; exit` });
  const failure = await askAbout(connection, PROGRAMS, NOW).catch((error: unknown) => error);
  expect(failure).toMatchObject({ problem });
  const words = /echo ['"]+([A-Z][\w ]{5,})/.exec(instead)?.[1];
  if (words !== undefined) expect(String(failure)).toContain(words);
  expect(await prepare(null, "root"), said()).toBe(problem);
  expect(put()).toEqual([]);
});

test.each([
  ["after the password", `${ASKS("printf 'Verification code: ' >&2; read -r code; exit 1")}`],
  ["before it", "printf 'Verification code: ' >&2; read -r code; exit 1"],
  [
    "in the words of sudo-rs",
    `printf '[sudo: krug-password:] Password: ' >&2; read -r p; printf '[sudo: krug-password:] Verification code: ' >&2; read -r code; exit 1`,
  ],
])("a sudo that asks a second thing %s is reported as such", async (_, sudo) => {
  const { prepare } = await connectTo(sudo);
  expect(await prepare("right")).toBe("sudo_second");
  expect(put()).toEqual([]);
});

test("sudo-rs is answered in its own format, and its message for a wrong password is understood", async () => {
  const asks = (then: string) => `printf '[sudo: authenticate] Password: ' >&2; read -r password; ${then}`;
  const lets = await connectTo(asks(`[ "$password" = right ] || exit 1; ${LETS_IN}`));
  expect(await lets.prepare("right")).toBe("prepared");
  const refuses = await connectTo(asks(`echo 'sudo: Authentication failed, try again.' >&2; ${asks("exit 1")}`));
  expect(await refuses.prepare("very-secret")).toBe("no_sudo");
  expect(refuses.said()).toContain("Authentication failed, try again.");
  expect(refuses.said()).not.toContain("very-secret");
});

test("sudo's message about an account is reported with it", async () => {
  const { prepare, said } = await connectTo(ASKS("echo 'ops is not in the sudoers file.' >&2; exit 1"));
  expect(await prepare("right")).toBe("no_sudo");
  expect(said()).toContain("ops is not in the sudoers file.");
});

test("a machine that cannot be a server is refused with its own message before anything is installed", async () => {
  const programs = { ...PROGRAMS, setup: "echo '#krug fail no_tun lxc'; exit 1" };
  const { connection, prepare } = await connectTo(LETS_IN, { programs });
  expect((await askAbout(connection, programs, NOW)).unfit).toEqual({ failure: "no_tun", detail: "lxc" });
  expect(await prepare(null)).toBe("no_tun lxc");
  expect(put()).toEqual([]);
});

test("one that cannot be inspected is not called prepared", async () => {
  const { prepare } = await connectTo(LETS_IN, { programs: { ...PROGRAMS, setup: "exit 1" } });
  expect(await prepare(null)).toBe("no_agent");
  expect(put()).toEqual([]);
});

test("everything is removed by the panel's own script, however far set-up came", async () => {
  const setup = 'echo "#krug left $1 $2"; echo "#krug done"';
  const { connection } = await connectTo(LETS_IN);
  const account = { username: "ops", sudoPassword: null, club: CLUB };
  expect(await cleanMachine(connection, account, { ...PROGRAMS, setup })).toEqual([
    "#krug left leave ops",
    "#krug done",
    "",
  ]);
});

test("where another club has its tunnels, nothing is installed or removed; where this one has, both are", async () => {
  const table = (mark: string) =>
    program(
      "nft",
      `[ "$*" = "--stateless list table inet krug" ] && echo 'table inet krug {\n\tchain of_${mark} {\n\t}\n}'`,
    );
  const { connection, prepare, said } = await connectTo(LETS_IN);
  const account = { username: "ops", sudoPassword: null, club: CLUB };
  const setup = 'echo "#krug left $2" | tee $HOME/left';
  const clean = () => cleanMachine(connection, account, { ...PROGRAMS, setup });
  table("0123456789abcdef");
  expect(await prepare(null)).toContain("nothing is touched");
  expect(said()).toContain("0123456789abcdef");
  await expect(clean()).rejects.toThrow("0123456789abcdef");
  expect(readdirSync(folder).filter((name) => name !== "bin" && name !== "given")).toEqual([]);
  table(markOf(CLUB));
  expect(await prepare(null)).toBe("prepared");
  expect(await clean()).toEqual(["#krug left ops", ""]);
});

test("a sudo that asks for nothing is not sent the password", async () => {
  const { prepare } = await connectTo(`echo krug-ready; ${ROOTS_SHELL}`);
  expect(await prepare("very-secret")).toBe("prepared");
  expect(given()).not.toContain("very-secret");
});

test.each([
  ["refuses the password", ASKS(`echo 'Sorry, try again.' >&2; ${ASKS("exit 1")}`), "wrong"],
  ["knows the account not", ASKS("echo 'ops is not in the sudoers file.' >&2; exit 1"), "right"],
  ["asks for a password that nobody gave", ASKS("exit 1"), null],
  ["is not there", "exit 127", "right"],
])("a sudo that %s is reported, and root's shell gets nothing", async (_, sudo, password) => {
  const { prepare } = await connectTo(sudo);
  expect(await prepare(password)).toBe("no_sudo");
  expect(given).toThrow();
});

test("the panel's key is added once, however often it is installed", async () => {
  const { prepare } = await connectTo(`echo krug-ready; ${ROOTS_SHELL}`);
  await prepare(null);
  await prepare(null);
  expect(keys().split("\n").filter(Boolean)).toEqual([`restrict ${PUBLIC_KEY} krug`]);
});

test("a failure on a full disk is reported as such", async () => {
  const { connection } = await connectTo("exit 1");
  const put = (): Promise<unknown> =>
    prepareMachine(
      connection,
      { username: "root", publicKey: PUBLIC_KEY, sudoPassword: null, club: null },
      PROGRAMS,
      NOW,
    ).catch((error: unknown) => error);
  program("mkdir", "exit 1");
  expect(await put()).not.toBeInstanceOf(DiskFull);
  program("df", "echo 'Filesystem 1024-blocks Used Available Capacity Mounted on'; echo '/dev/vda 9 9 0 100% /'");
  expect(await put()).toBeInstanceOf(DiskFull);
});

test("a machine that sends more than requested is disconnected", async () => {
  const flood = "head -c 20000000 /dev/zero";
  for (const sudo of [flood, `${flood} >&2`, `echo krug-ready; ${flood}`, `${ASKS(flood)}`]) {
    const { prepare } = await connectTo(`${sudo}; sleep 60`);
    expect([sudo, await prepare("right")]).toEqual([sudo, expect.stringMatching(/^(no_sudo|no_agent)$/)]);
  }
  const { connection } = await connectTo("exit 1");
  const open = (command: string) => connection.open(command.replace("/bin/sh -s", `${flood}; sleep 60`));
  await expect(askAbout({ ...connection, open }, PROGRAMS, NOW)).rejects.toThrow("says more than it was asked");
}, 20_000);

test("nothing gets into a command or a file unless it is a valid account name or key", async () => {
  const { connection } = await connectTo("exit 1");
  const wish = { username: "ops", publicKey: PUBLIC_KEY, sudoPassword: null, club: CLUB };
  for (const change of [
    { username: "ops ALL=(ALL) NOPASSWD: ALL #" },
    { username: "$(id)" },
    { publicKey: `${PUBLIC_KEY}\nssh-ed25519 AAAA` },
    { publicKey: "command=\"id\" ssh-ed25519 AAAA'; id '" },
  ])
    await expect(prepareMachine(connection, { ...wish, ...change }, PROGRAMS, NOW)).rejects.toThrow(TypeError);
});

test("a machine can be inspected without any rights", async () => {
  const { connection } = await connectTo("exit 1");
  expect(await askAbout(connection, PROGRAMS, NOW)).toMatchObject({
    system: expect.stringContaining(" "),
    architecture: expect.stringMatching(/^(x86_64|aarch64)$/),
    memory: expect.any(Number),
  });
});
