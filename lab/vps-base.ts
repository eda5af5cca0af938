import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readdir, rename, rm, writeFile } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { isAlive } from "../scripts/command.mjs";

const run = promisify(execFile);

/** What a rented Debian 12 has. */
const PACKAGES = ["systemd", "systemd-sysv", "dbus", "openssh-server", "sudo", "iproute2", "ca-certificates", "procps"];

/** The names that every Debian knows; the lab's mirror answers to them. */
const SOURCES = `deb http://deb.debian.org/debian bookworm main
deb http://deb.debian.org/debian bookworm-updates main
deb http://deb.debian.org/debian-security bookworm-security main
`;

// Raising a limit needs a capability that CI's machines lack.
const MODEST = `[Service]
LimitNOFILE=
LimitNPROC=
LimitCORE=
OOMScoreAdjust=
TasksMax=
Delegate=no
`;

const FILES: Record<string, string> = {
  "etc/apt/sources.list": SOURCES,
  "etc/hostname": "vps\n",
  // Each server makes its own at its first start.
  "etc/machine-id": "",
  "etc/systemd/system/docker.service.d/lab.conf": MODEST,
  "etc/systemd/system/containerd.service.d/lab.conf": MODEST,
};

/** A folder that outlives runs: for what takes long to make and never changes. */
export const KEPT = join(process.env.XDG_CACHE_HOME || join(homedir(), ".cache"), "krug-lab");

/**
 * The folder of an installed Debian 12, shared by all servers and never written to. Made once, in about two minutes, from
 * `mirror`; a changed recipe makes another.
 */
export async function debianBase(mirror: string): Promise<string> {
  const recipe = createHash("sha256")
    .update(JSON.stringify([PACKAGES, FILES]))
    .digest("hex")
    .slice(0, 12);
  const path = join(KEPT, `debian-12-${recipe}`);
  if (existsSync(path)) return path;
  await mkdir(KEPT, { recursive: true, mode: 0o700 });
  for (const name of await readdir(KEPT)) {
    const maker = Number(/^making-(\d+)-/.exec(name)?.[1]);
    if (maker && !isAlive(maker)) await rm(join(KEPT, name), { recursive: true, force: true });
  }
  const folder = await mkdtemp(join(KEPT, `making-${process.pid}-`));
  const base = join(folder, "base");
  try {
    const options = ["--variant=minbase", `--include=${PACKAGES.join(",")}`];
    await run("debootstrap", [...options, "bookworm", base, mirror], { maxBuffer: 2 ** 26 });
    for (const [file, text] of Object.entries(FILES)) {
      await mkdir(join(base, file, ".."), { recursive: true });
      await writeFile(join(base, file), text);
    }
    const keys = (await readdir(join(base, "etc/ssh"))).filter((name) => name.startsWith("ssh_host_"));
    for (const name of keys) await rm(join(base, "etc/ssh", name));
    await run("chroot", [base, "apt-get", "clean"]);
    await rm(join(base, "var/lib/apt/lists"), { recursive: true });
    await mkdir(join(base, "var/lib/apt/lists/partial"), { recursive: true });
    // Another run may have been quicker.
    await rename(base, path).catch((error) => {
      if (!existsSync(path)) throw error;
    });
    return path;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
