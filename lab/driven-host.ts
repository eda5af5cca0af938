import { existsSync } from "node:fs";
import { createInterface } from "node:readline";
import type { Host } from "../apps/server/src/hosts/host.ts";
import { OWN_ENGINE } from "../scripts/engine.mjs";
import type { Namespace, Started } from "./namespace.ts";
import { startScript } from "./network.ts";

/** The local driver, running inside a lab machine. */
export interface DrivenHost extends Host {
  process: Started;
  /** How long the driver took for its last answer, in ms. */
  lastTookMs(): number;
}

/** A tunnel of the panel's engine in the process list. The driver itself has the engine's path as an argument too. */
export const ENGINE_RUNS = "krug-engine-[a-z0-9]+ --foreground";

/**
 * @param control  how the kernel's links are driven; or a folder for userspace networking, with its sockets there
 * @param by  a program that starts the driver
 * @param engine  the panel's; null for a panel that has none
 */
export async function driveHost(
  at: Namespace,
  control: "socket" | "program" | `/${string}` = "socket",
  by: string[] = [],
  engine: string | null = existsSync(OWN_ENGINE) ? OWN_ENGINE : null,
): Promise<DrivenHost> {
  const runner = await startScript(at, "./host-runner.ts", engine === null ? [control] : [control, engine], by);
  const waiting = new Map<number, { resolve: (answer: never) => void; reject: (error: Error) => void }>();
  let count = 0;
  let tookMs = 0;
  const { stdin, stdout } = runner.process;
  if (!stdin || !stdout) throw new Error("no pipes");
  createInterface({ input: stdout }).on("line", (line) => {
    const reply = JSON.parse(line) as { id: number; answer: never; error?: string; tookMs: number };
    const asked = waiting.get(reply.id);
    waiting.delete(reply.id);
    tookMs = reply.tookMs;
    if (reply.error) asked?.reject(new Error(reply.error));
    else asked?.resolve(reply.answer);
  });
  const ended = () => new Error(`the driver ended: ${runner.output().slice(-500)}`);
  runner.process.once("exit", () => {
    for (const { reject } of waiting.values()) reject(ended());
  });
  const ask =
    (method: keyof Host) =>
    (params?: unknown): Promise<never> =>
      new Promise((resolve, reject) => {
        // Questions asked after the end would wait forever.
        if (runner.process.exitCode !== null || runner.process.signalCode !== null) return void reject(ended());
        count += 1;
        waiting.set(count, { resolve, reject });
        stdin.write(`${JSON.stringify({ id: count, method, params })}\n`);
      });
  return {
    process: runner,
    lastTookMs: () => tookMs,
    reach: ask("reach"),
    inspect: ask("inspect"),
    read: ask("read"),
    readSome: ask("readSome"),
    look: ask("look"),
    apply: ask("apply"),
    applyPeers: ask("applyPeers"),
    applyAccess: ask("applyAccess"),
    applySpeeds: ask("applySpeeds"),
    lackingSpeeds: ask("lackingSpeeds"),
    occupied: ask("occupied"),
    passing: ask("passing"),
    refusing: ask("refusing"),
    pathMtu: ask("pathMtu"),
    echoes: ask("echoes"),
    readMachine: ask("readMachine"),
    defaultEndpoint: ask("defaultEndpoint"),
  };
}
