import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { ROOT } from "../scripts/command.mjs";
import { copyRepository, putNode, reachRegistry } from "./checkout.ts";
import type { Started } from "./namespace.ts";
import * as lab from "./network.ts";
import { type Reached, visitorsOf } from "./panel.ts";
import { reachLoopback, startVps } from "./vps.ts";
import type { DebianVersion } from "./vps-base.ts";

const PATIENCE_MS = 10 * 60_000;
const TESTS_PATIENCE_MS = 45 * 60_000;
const ORDINARY = { name: "anna", id: "1000" };

export type As = "root" | "an ordinary user";

export interface FirstStart extends Reached {
  started: Started;
  /** The panel's address for this process. */
  url: string;
}

/** The only command below a heading of the README, as a person copies it. */
async function commandBelow(heading: string): Promise<string[]> {
  const text = await readFile(join(ROOT, "README.md"), "utf8");
  const [, command] = new RegExp(`^## ${heading}$[^#]*?^\`\`\`\\n(.*)\\n\`\`\`$`, "m").exec(text) ?? [];
  if (command === undefined) throw new Error(`the README has no command below '${heading}'`);
  return command.split(" ");
}

/** A fresh Debian with Node and this repository's files, and nothing that tunnels need. */
export async function startFreshMachine(debian: DebianVersion) {
  const vps = await startVps({ password: "root's own password", debian });
  const { network } = vps;
  const opened: { close(): void }[] = [];
  const stop = async () => {
    for (const each of opened) each.close();
    await vps.stop();
  };
  const disk = `/proc/${network.host.pid}/root`;
  const homeOf = (as: As) => (as === "root" ? "/root" : `/home/${ORDINARY.name}`);
  const folderOf = (as: As) => `${homeOf(as)}/krug`;
  const by = (as: As) =>
    as === "root"
      ? []
      : ["setpriv", "--reuid", ORDINARY.id, "--regid", ORDINARY.id, "--clear-groups", "--inh-caps=-all"];

  async function begin(as: As, command: readonly string[], more: Record<string, string> = {}): Promise<Started> {
    const [program = "", ...args] = [...by(as), ...command];
    const env = { HOME: homeOf(as), NPM_CONFIG_REGISTRY: registry.url, ...more };
    return network.host.start(program, args, { cwd: folderOf(as), env });
  }

  let registry: { url: string; close(): void };
  try {
    registry = await reachRegistry(network, "npm");
    opened.push(registry);
    await Promise.all([
      putNode(disk),
      copyRepository(join(disk, folderOf("root")), network.folder),
      lab.startServices(network.target),
      vps.exec(`useradd --create-home --uid ${ORDINARY.id} --user-group ${ORDINARY.name}`),
    ]);
    // A rented Debian comes with it too. Its cables are already connected.
    await vps.exec("dpkg --purge --force-depends iproute2 && ! command -v wg nft ip");
    return {
      vps,
      network,
      stop,
      /** Gives a folder of root's to the ordinary user, with everything now in it except the club. */
      async handOver() {
        const [from, to] = [folderOf("root"), folderOf("an ordinary user")];
        // Times included: sources newer than the build would be rebuilt.
        await vps.exec(`cp -a ${from} ${to} && rm -rf ${to}/data && chown -R ${ORDINARY.id}:${ORDINARY.id} ${to}`);
      },
      /** Runs the README's first command, until it has printed the link. */
      async start(as: As, more: Record<string, string> = {}): Promise<FirstStart> {
        const started = await begin(as, await commandBelow("Start it"), { SECURITY_GATE: "off", ...more });
        const hasLink = () => {
          if (started.process.exitCode !== null) throw new Error(`it ended: ${started.output()}`);
          return /setup#token=\S+\n/.test(started.output());
        };
        await lab.until("the link is printed", hasLink, PATIENCE_MS);
        const url = await reachLoopback(vps, 3001);
        return { started, url, output: started.output, ...visitorsOf(url) };
      },
      /** Makes a folder as git would have cloned it, with git installed, and nothing installed or built in it. */
      async clone(as: As) {
        await vps.exec("apt-get -q update && apt-get -q install --yes --no-install-recommends git", {
          timeoutMs: PATIENCE_MS,
        });
        const folder = folderOf(as);
        await vps.exec(`rm -rf ${folder}`);
        await copyRepository(join(disk, folder), network.folder);
        const git = `git -C ${folder} -c user.name=Krug -c user.email=krug@club.example`;
        await vps.exec(`git init -q -b main ${folder} && ${git} add -A && ${git} commit -q -m All`);
        if (as !== "root") await vps.exec(`chown -R ${ORDINARY.id}:${ORDINARY.id} ${folder}`);
      },
      /** Runs the README's second command to its end, in the clone. */
      async test(as: As): Promise<{ code: number | null; output: string }> {
        const { process: npm, output } = await begin(as, await commandBelow("Test it"));
        await lab.until("the tests end", () => npm.exitCode !== null, TESTS_PATIENCE_MS);
        return { code: npm.exitCode, output: output() };
      },
    };
  } catch (error) {
    await stop();
    throw error;
  }
}
