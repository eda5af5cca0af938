import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readdir, rename, rm, writeFile } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { isAlive } from "../scripts/command.mjs";

const run = promisify(execFile);

/** A rented Debian's packages. */
export const PACKAGES = [
  "systemd",
  "systemd-sysv",
  "dbus",
  "openssh-server",
  "sudo",
  "iproute2",
  "ca-certificates",
  "procps",
];

export type DebianVersion = 12 | 13;
const RELEASES: Record<DebianVersion, string> = { 12: "bookworm", 13: "trixie" };

/** Names that every Debian knows. The lab's mirror answers to them. */
export const sourcesOf = (version: DebianVersion): string => {
  const release = RELEASES[version];
  return `deb http://mirror.example/debian ${release} main
deb http://mirror.example/debian ${release}-updates main
deb http://mirror.example/debian-security ${release}-security main
`;
};

// Raising a limit needs a capability that CI's machines lack.
const MODEST = `[Service]
LimitNOFILE=
LimitNPROC=
LimitCORE=
OOMScoreAdjust=
TasksMax=
Delegate=no
`;

const filesOf = (version: DebianVersion): Record<string, string> => ({
  "etc/apt/sources.list": sourcesOf(version),
  "etc/hostname": "vps\n",
  // Each server creates its own at its first start.
  "etc/machine-id": "",
  "etc/systemd/system/docker.service.d/lab.conf": MODEST,
  "etc/systemd/system/containerd.service.d/lab.conf": MODEST,
});

/** A cache folder for what takes long to make and never changes. */
export const KEPT = join(process.env.XDG_CACHE_HOME || join(homedir(), ".cache"), "krug-lab");

/** The folder of an installed Debian, shared by all servers and never written to. */
export const debianBase = (mirror: string, version: DebianVersion): Promise<string> => {
  const files = filesOf(version);
  return madeOnce(`debian-${version}`, [PACKAGES, files], (base) =>
    installDebian(base, mirror, { version, packages: PACKAGES, files }),
  );
};

/** A Debian of these packages and their dependencies. `files` by path. About two minutes. */
export async function installDebian(
  base: string,
  mirror: string,
  { version, packages, files }: { version: DebianVersion; packages: readonly string[]; files: Record<string, string> },
): Promise<void> {
  const options = ["--variant=minbase", `--include=${packages.join(",")}`];
  await run("debootstrap", [...options, RELEASES[version], base, mirror], { maxBuffer: 2 ** 26 });
  for (const [file, text] of Object.entries(files)) {
    await mkdir(join(base, file, ".."), { recursive: true });
    await writeFile(join(base, file), text);
  }
  const keys = (await readdir(join(base, "etc/ssh")).catch(() => [])).filter((name) => name.startsWith("ssh_host_"));
  for (const name of keys) await rm(join(base, "etc/ssh", name));
  await run("chroot", [base, "apt-get", "clean"]);
  await rm(join(base, "var/lib/apt/lists"), { recursive: true });
  await mkdir(join(base, "var/lib/apt/lists/partial"), { recursive: true });
}

/** The folder that `make` fills, cached across runs. A changed recipe makes another. */
export async function madeOnce(name: string, recipe: unknown, make: (folder: string) => Promise<void>) {
  const version = createHash("sha256").update(JSON.stringify(recipe)).digest("hex").slice(0, 12);
  const path = join(KEPT, `${name}-${version}`);
  if (existsSync(path)) return path;
  await mkdir(KEPT, { recursive: true, mode: 0o700 });
  for (const left of await readdir(KEPT)) {
    const maker = Number(/^making-(\d+)-/.exec(left)?.[1]);
    if (maker && !isAlive(maker)) await rm(join(KEPT, left), { recursive: true, force: true });
  }
  const folder = await mkdtemp(join(KEPT, `making-${process.pid}-`));
  const made = join(folder, "made");
  try {
    await mkdir(made);
    await make(made);
    // Another run may have been faster.
    await rename(made, path).catch((error) => {
      if (!existsSync(path)) throw error;
    });
    return path;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
