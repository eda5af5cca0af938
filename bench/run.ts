import * as lab from "../lab/network.ts";
import { ensureBuilt } from "../scripts/build.mjs";
import { ensureInstalled } from "../scripts/install.mjs";
import { leftOut } from "../scripts/system-packages.mjs";

/** Installs and builds what a bench needs. The process ends after `longestMs`, and its namespaces end with it. */
export async function prepareBench(longestMs: number): Promise<void> {
  await ensureInstalled();
  await ensureBuilt();
  setTimeout(() => {
    console.error("The bench took too long.");
    process.exit(1);
  }, longestMs).unref();
}

/** Runs a bench in the lab's network, and ends the process: the network's relays would keep it alive. */
export async function runInLab(
  bench: (network: lab.LabNetwork) => Promise<void>,
  longestMs: number,
  { clients = 0 }: { clients?: number } = {},
): Promise<never> {
  await ensureInstalled();
  const reason = (await leftOut(["lab"])).get("lab");
  if (reason) throw new Error(`The bench cannot run here: ${reason}`);
  await prepareBench(longestMs);
  const network = await lab.makeNetwork({ clients });
  try {
    await bench(network);
  } finally {
    await network.close();
  }
  process.exit();
}
