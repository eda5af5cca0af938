import { execFile } from "node:child_process";
import { cp, mkdir, rm, symlink, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { ROOT } from "../scripts/command.mjs";
import { type Source, startMirror } from "./debian-mirror.ts";
import { type LabNetwork, relayFrom } from "./network.ts";
import { GATEWAY } from "./rented.ts";
import { KEPT } from "./vps-base.ts";

const run = promisify(execFile);

/**
 * Installs this machine's Node and npm from where their archive is unpacked. `disk`: the other machine's files as this process
 * reaches them.
 */
export async function putNode(disk: string): Promise<void> {
  const npm = "lib/node_modules/npm";
  const to = join(disk, "usr/local");
  await cp(process.execPath, join(to, "bin/node"), { dereference: true });
  await cp(join(dirname(process.execPath), "..", npm), join(to, npm), { recursive: true });
  await symlink(`../${npm}/bin/npm-cli.js`, join(to, "bin/npm"));
}

/** The files that git knows or would add, with their current content. */
export async function copyRepository(to: string, scratch: string) {
  const { stdout } = await run("git", ["ls-files", "-z", "--cached", "--others", "--exclude-standard"], {
    cwd: ROOT,
    maxBuffer: 2 ** 26,
  });
  const list = join(scratch, "repository.list");
  await writeFile(list, stdout);
  await mkdir(to, { recursive: true });
  const archive = join(scratch, "repository.tar");
  await run("tar", ["-C", ROOT, "--null", "--ignore-failed-read", "--files-from", list, "-cf", archive]);
  await run("tar", ["-C", to, "-xf", archive]);
  await rm(archive);
}

const withSlash = (url: string) => url.replace(/\/?$/, "/");

/** Registries by name, each with its proxy's port at the lab's gateway. */
const REGISTRIES = {
  npm: { port: 4873, keeps: /\.tgz$/, ask: ["npm", "config", "get", "registry"] },
} as const;

/** Lets the lab's machines reach the registry that this machine uses. */
export async function reachRegistry(
  network: Pick<LabNetwork, "folder" | "internet">,
  name: keyof typeof REGISTRIES,
): Promise<{ url: string; close(): void }> {
  const { port, keeps, ask } = REGISTRIES[name];
  const [program, ...args] = ask;
  const { stdout } = await run(program, args);
  const source: Source = { url: withSlash(stdout.trim()), keeps };
  const mirror = await startMirror(join(KEPT, name), { "": source });
  await relayFrom(network, network.internet, `${GATEWAY}:${port}`, mirror.port);
  return { url: `http://${GATEWAY}:${port}/`, close: mirror.close };
}
