import { createHash } from "node:crypto";
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { reason, reasonLine } from "@krug/domain/reasons";
import { describe, expect, onTestFinished, test } from "vitest";
import { ROOT, run } from "./command.mjs";

/*
 * install.sh in a folder instead of a machine: systemd, the journal, the disk and the panel give prepared answers.
 * lab/install.soak.test.ts tests it on whole machines.
 */

interface Machine {
  /** What the unit wrote to the journal after its start. */
  journal?: string;
  /** How often it has ended by itself since. */
  failures?: number;
  /** The status of /health. */
  health?: number;
  freeMib?: number;
  /** The line of `ss` for the program on the panel's port. */
  listener?: string;
}

function aMachine() {
  const root = mkdtempSync(join(tmpdir(), "krug-install-script-"));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  for (const folder of [
    "bin",
    "opt",
    "etc/systemd/system",
    "var/lib/krug",
    "var/cache/apt",
    "usr/local/bin",
    "run/systemd/system",
  ])
    mkdirSync(join(root, folder), { recursive: true });
  const script = readFileSync(`${ROOT}deploy/install.sh`, "utf8").replaceAll(
    /(?<=[= >])\/(?=(?:opt|etc|var|usr|run)\/)/g,
    `${root}/`,
  );
  writeFileSync(join(root, "install.sh"), script);
  const program = (name: string, text: string) =>
    writeFileSync(join(root, "bin", name), `#!/bin/sh\n${text}\n`, { mode: 0o755 });
  const told = (name: string) => `$(cat ${root}/${name})`;
  program("id", "echo 0");
  program("dpkg-query", "echo installed");
  program("mountpoint", "exit 1");
  program("sync", "");
  program("df", `printf 'Avail\\n%s\\n' "${told("free")}"`);
  program("ss", `cat ${root}/listener`);
  program("curl", `echo "$*" >> ${root}/asked; printf %s "${told("health")}"; [ "${told("health")}" = 200 ]`);
  // The stand-in ignores which lines are requested.
  program("journalctl", `cat ${root}/journal`);
  program(
    "systemctl",
    `case "$*" in
      "show krug --property=NRestarts --value") echo "${told("failures")}" ;;
      "show krug --property=MainPID --value") echo 4711 ;;
      start*) echo started >> ${root}/did ;;
      *) ;;
    esac`,
  );
  const release = (version: string) => {
    const [made, file] = [join(root, "made", version), join(root, `krug-${version}.tar`)];
    for (const folder of ["deploy", "apps/server/dist", "bin"]) mkdirSync(join(made, folder), { recursive: true });
    writeFileSync(join(made, "package.json"), `{\n  "version": "${version.replace(/-.*/, "")}",\n}\n`);
    writeFileSync(join(made, "deploy/krug.service"), readFileSync(`${ROOT}deploy/krug.service`));
    writeFileSync(join(made, "apps/server/dist/cli.js"), version);
    return { made, file };
  };
  const install = async (
    version: string,
    { journal = "", failures = 0, health = 200, freeMib = 90_000, listener = "" }: Machine = {},
  ) => {
    const told = { journal, failures: `${failures}`, health: `${health}`, free: `${freeMib}`, listener };
    for (const [name, text] of Object.entries(told)) writeFileSync(join(root, name), text);
    const { made, file } = release(version);
    // A stand-in for Node: the installer checks that the command line shows its help, which exits with 2.
    if (!existsSync(file)) await run("tar", ["-cf", file, "-C", join(made, ".."), version]);
    // Node's own archive contains only the program. To work, it must show the command line's help.
    const node = join(root, "node/bin/node");
    mkdirSync(join(root, "node/bin"), { recursive: true });
    writeFileSync(node, "#!/bin/sh\nexit 2\n");
    chmodSync(node, 0o755);
    if (!existsSync(join(root, "node.tar"))) await run("tar", ["-cf", join(root, "node.tar"), "-C", root, "node"]);
    const hash = (path: string) => createHash("sha256").update(readFileSync(path)).digest("hex");
    return run("sh", [join(root, "install.sh")], {
      env: {
        PATH: `${join(root, "bin")}:${process.env.PATH}`,
        KRUG_URL: file,
        KRUG_SHA256: hash(file),
        NODE_URL: join(root, "node.tar"),
        NODE_SHA256: hash(join(root, "node.tar")),
        KRUG_WAIT_SECONDS: "2",
      },
    });
  };
  return { root, install };
}

const LINK = "Первый администратор / set up the first admin (one-time link): http://127.0.0.1:3001/setup#token=abc";

test("if all is well the output ends with the first admin's link", async () => {
  const { install } = aMachine();
  const said = await install("0.1.0", { journal: `${LINK}\n` });
  expect(said).toMatchObject({ code: 0, output: expect.stringContaining("http://127.0.0.1:3001/setup#token=abc") });
});

test.each<[string, Machine, RegExp, RegExp | null]>([
  [
    "a wrong variable",
    { failures: 3, health: 0, journal: "PUBLIC_URL must be an address such as https://club.example.\n" },
    /Its last words:\nPUBLIC_URL must be[^\n]*\n[\s\S]*Correct [^\n]*\/etc\/krug\.env as they say, then run this again\./,
    /full|taken|memory/,
  ],
  [
    "a port that another program has",
    {
      failures: 3,
      health: 0,
      journal: "PORT 3001 is taken on 127.0.0.1: another panel or program listens there.\n",
      listener: `LISTEN 0 511 127.0.0.1:3001 0.0.0.0:* users:(("grafana",pid=812,fd=9))\n`,
    },
    /Port 3001 is taken by grafana \(process 812\)\. Stop it, or set another PORT/,
    /Correct/,
  ],
  [
    "a port that another program has, on a machine that speaks Russian",
    {
      failures: 3,
      health: 0,
      journal: `${reasonLine(reason("start.port_taken", { port: 3001, host: "127.0.0.1" }), "ru")}\n`,
      listener: `LISTEN 0 511 127.0.0.1:3001 0.0.0.0:* users:(("grafana",pid=812,fd=9))\n`,
    },
    /Port 3001 is taken by grafana \(process 812\)\. Stop it, or set another PORT/,
    /Correct/,
  ],
  [
    "a disk that is full, while the panel is up and cannot serve",
    { health: 503, freeMib: 3, journal: `{"level":50,"msg":"the disk is full"}\n` },
    /Krug is up but cannot serve yet\. Its last words:[\s\S]*The disk is full: [^\n]* has 3 MiB free\. Make room/,
    /Correct/,
  ],
  [
    "a process that the system killed",
    { failures: 3, health: 0, journal: "krug.service: A process of this unit has been killed by the OOM killer.\n" },
    /too little memory/,
    /Correct/,
  ],
  [
    "a crash",
    {
      failures: 3,
      health: 0,
      journal: "TypeError: x is not a function\n    at file:///opt/krug/current/main.js:1:1\n",
    },
    /It crashed, but not because of its settings/,
    /Correct/,
  ],
  ["a panel that is slow", { health: 0, journal: "" }, /has not become healthy within 2 s/, /Correct|crashed/],
])("a failed start is reported with its own cause and the unit's last words: %s", async (_, machine, cause, noneOf) => {
  const { install, root } = aMachine();
  if (machine.freeMib !== undefined) {
    // The disk has filled up since the release was installed.
    await install("0.1.0", { journal: `${LINK}\n` });
    rmSync(join(root, "did"), { force: true });
  }
  const { code, output } = await install("0.1.0", machine);
  expect(code).toBe(1);
  expect(output).toMatch(cause);
  if (noneOf !== null) expect(output).not.toMatch(noneOf);
});

test("a disk without room for the release is reported before anything is fetched or changed", async () => {
  const { install, root } = aMachine();
  const { code, output } = await install("0.1.0", { freeMib: 120 });
  expect(output).toMatch(
    /^The disk is too full: a release takes 500 MiB, and .* has 120 MiB free\. Make room, then run this again\. Nothing was changed\.\n$/,
  );
  expect(code).toBe(1);
  expect((await run("ls", ["-A", join(root, "opt/krug/releases"), join(root, "etc")])).output).not.toMatch(
    /krug\.env|\.new/,
  );
});

test("a disk that fills up while the release is unpacked is named, and nothing half-unpacked stays", async () => {
  const { install, root } = aMachine();
  await install("0.1.0", { journal: `${LINK}\n` });
  const tar = `#!/bin/sh\n[ "$1" != -xf ] || { echo 3 > ${root}/free; echo "tar: Cannot write" >&2; exit 2; }\nexec /usr/bin/tar "$@"\n`;
  writeFileSync(join(root, "bin/tar"), tar, { mode: 0o755 });
  const { code, output } = await install("0.2.0");
  expect(output).toMatch(/The disk is full: \S+releases has 3 MiB free\. Make room, then run this again\.\n$/);
  expect(code).toBe(1);
  expect((await run("ls", ["-A", join(root, "opt/krug/releases")])).output).toMatch(/^0\.1\.0-\w+\n$/);
});

describe("the packages it lacks", () => {
  /** `aptGet` answers what apt-get is asked; each call is a line of `calls`. */
  const lacking = (aptGet: string) => {
    const { root, install } = aMachine();
    const program = (name: string, text: string) =>
      writeFileSync(join(root, "bin", name), `#!/bin/sh\necho "${name} $*" >> ${root}/calls\n${text}\n`, {
        mode: 0o755,
      });
    program("dpkg-query", `[ "$4" != nftables ] || exit 1; echo installed`);
    program("dpkg", "exit 0");
    program("sleep", "exit 0");
    program("apt-get", aptGet.replaceAll("calls", `${root}/calls`));
    const calls = () => readFileSync(join(root, "calls"), "utf8").trim().split("\n");
    return { calls: () => calls().filter((line) => /^(?:apt-get|dpkg) /.test(line)), install };
  };
  const asked = (line: string) => line.replaceAll(/ -(?:q|o \S+)/g, "");

  test.each([
    "E: Could not get lock /var/lib/dpkg/lock-frontend. It is held by process 12 (unattended-upgr)",
    "E: Unable to lock directory /var/lib/apt/lists/",
    "dpkg: error: dpkg frontend lock was locked by another process with pid 12",
  ])("are installed once another program's lock is gone, and nothing asks a question: %s", async (words) => {
    const { calls, install } = lacking(`[ $(grep -c apt-get calls) -gt 3 ] || { echo "${words}" >&2; exit 100; }`);
    const { code, output } = await install("0.1.0", { journal: `${LINK}\n` });
    expect([code, output.match(/Waiting for another program/g)]).toEqual([0, ["Waiting for another program"]]);
    expect(calls().map(asked)).toEqual([
      ...Array(4).fill("apt-get update"),
      "apt-get install --yes --no-install-recommends nftables",
    ]);
    expect(calls().at(-1)).toContain("-o Dpkg::Options::=--force-confold");
  });

  test("are installed once an interrupted installation is finished, which is tried once", async () => {
    const interrupted = `echo "E: dpkg was interrupted, you must manually run 'dpkg --configure -a' to correct the problem." >&2; exit 100`;
    const { calls, install } = lacking(`grep -q ^dpkg\\  calls || case "$*" in *install*) ${interrupted} ;; esac`);
    expect((await install("0.1.0", { journal: `${LINK}\n` })).code).toBe(0);
    const installing = "apt-get install --yes --no-install-recommends nftables";
    const mending = "dpkg --force-confdef --force-confold --configure -a";
    expect(calls().map(asked)).toEqual(["apt-get update", installing, mending, installing]);
    const { output } = await lacking(interrupted).install("0.1.0");
    expect(output).toMatch(/dpkg was interrupted[^\n]*\nIt stopped there\./);
  });

  test("come although a foreign source does not answer; otherwise apt's own words end it", async () => {
    const broken = `case "$*" in *update) echo "E: no Release file" >&2; exit 100 ;; esac`;
    expect((await lacking(broken).install("0.1.0", { journal: `${LINK}\n` })).code).toBe(0);
    const { code, output } = await lacking(`${broken}; echo "E: Unable to locate package" >&2; exit 100`).install(
      "0.1.0",
    );
    expect(code).toBe(1);
    expect(output).toMatch(/E: no Release file\nE: Unable to locate package\nIt stopped there\./);
  });
});

test("a line of the settings, with spaces around it, counts as systemd reads it", async () => {
  const { install, root } = aMachine();
  writeFileSync(join(root, "etc/krug.env"), " PORT = 3002 \nDATA_DIR=\n");
  await install("0.1.0", { journal: `${LINK}\n` });
  expect(readFileSync(join(root, "asked"), "utf8")).toMatch(/http:\/\/127\.0\.0\.1:3002\/health/);
});

test("another build of the same version is distinguished from it", async () => {
  const { install } = aMachine();
  await install("0.1.0", { journal: `${LINK}\n` });
  const { code, output } = await install("0.1.0-later", { journal: `${LINK}\n` });
  expect(code).toBe(0);
  expect(output).toMatch(/Upgrading from 0\.1\.0 \(build ([0-9a-f]{12})\) to 0\.1\.0 \(build (?!\1)[0-9a-f]{12}\)/);
  expect((await install("0.2.0", { journal: `${LINK}\n` })).output).toMatch(/Upgrading from 0\.1\.0 to 0\.2\.0…/);
});
