import { type Reason, reason } from "@krug/domain/reasons";
import { oneByOne } from "../../platform/limiter.ts";
import { type Machine, MachineFailure } from "../machine.ts";
import { type AgentSession, refuseUnheld } from "./agent-session.ts";
import { AGENT_PATH } from "./connection.ts";
import { readEngine } from "./engine-file.ts";

/*
 * The panel's engine on a server: there is no system package for it, so the panel installs it with its checksum when a tunnel
 * needs it (docs/adr/0064-an-engine-travels-in-parts.md).
 */

/** Its path on a server; the helper knows no other. */
export const ENGINE_PATH = `${AGENT_PATH.slice(0, AGENT_PATH.lastIndexOf("/"))}/engine`;

/** Paths on the panel's machine, by Node's names of processors; null if the panel has none. */
export type EngineFiles = Readonly<Record<Processor, string | null>> & {
  /** They run no plain WireGuard. */
  readonly isForAmneziaAlone: boolean;
};
type Processor = "x64" | "arm64";

const PROCESSORS: Readonly<Record<string, Processor>> = { x86_64: "x64", aarch64: "arm64" };
const FILE_NAMES = { x64: "krug-engine-amd64", arm64: "krug-engine-arm64" };

/** Small enough that other calls soon get their turn on the same connection. */
const PART_BYTES = 128 * 1024;
const TIMEOUT_MS = 30_000;
/** Error numbers on Linux. */
const NO_ROOM = ["28", "122"];

export interface BroughtEngine {
  /** The same machine, which gets the engine as soon as it is asked to start it. */
  machine: Machine;
  /** Installs the panel's engine if another, or none, is there; with `onlyRenews` not if none is. @throws MachineFailure */
  bring(signal?: AbortSignal, options?: { onlyRenews: boolean }): Promise<void>;
}

export function bringEngineTo(
  machine: Machine,
  session: () => Promise<AgentSession>,
  files: EngineFiles,
): BroughtEngine {
  const limited = oneByOne();
  const bring = (signal?: AbortSignal, { onlyRenews } = { onlyRenews: false }) =>
    limited(() => put(signal, onlyRenews));

  async function put(signal: AbortSignal | undefined, onlyRenews: boolean): Promise<void> {
    const ask = async (word: string, fields: readonly (string | Uint8Array)[]) => {
      const said = await (await session()).ask(word, fields, { timeoutMs: TIMEOUT_MS, ...(signal && { signal }) });
      refuseUnheld(said);
      return said;
    };
    const processor = await machine.run("uname", ["-m"], { ...(signal && { signal }) });
    const kind = PROCESSORS[processor.trim()];
    const path = kind === undefined ? null : files[kind];
    if (path === null) return;
    const [{ bytes, sum }, there] = await Promise.all([readEngine(path), ask("engine", [])]);
    const installedSum = there.fields[0]?.toString("latin1");
    if (installedSum === sum || (installedSum === undefined && onlyRenews)) return;
    for (let at = 0; at < bytes.length; at += PART_BYTES) {
      const { word, fields } = await ask("part", [String(at), bytes.subarray(at, at + PART_BYTES)]);
      if (word !== "is") throw notBrought(fields);
    }
    const { word, fields } = await ask("place", [sum]);
    if (word === "other") throw new MachineFailure("refused", reason("engine.not_whole"));
    if (word !== "is") throw notBrought(fields);
  }

  return {
    bring,
    machine: {
      ...machine,
      async findProgram(program, options) {
        if (program !== ENGINE_PATH) return machine.findProgram(program, options);
        const [there, processor] = await Promise.all([
          machine.findProgram(program, options),
          machine.run("uname", ["-m"], options),
        ]);
        const lack = whyNone(processor.trim(), files);
        // One that another panel installed will do.
        if (lack !== null && there === null) throw new MachineFailure("refused", lack);
        return program;
      },
      async start(program, args, options) {
        if (program === ENGINE_PATH) await bring(options?.signal);
        return machine.start(program, args, options);
      },
    },
  };
}

/** For the operator; null if the panel has one to install. */
function whyNone(processor: string, files: EngineFiles): Reason | null {
  const kind = PROCESSORS[processor];
  if (kind === undefined) return reason("lack.processor", { known: Object.keys(PROCESSORS).join(", "), processor });
  if (files[kind] !== null) return null;
  return reason("lack.engine_for", { processor, file: FILE_NAMES[kind] });
}

/** Only its tunnels are affected: the machine is reached, and other tunnels keep running. */
function notBrought([code, why]: readonly Buffer[]): MachineFailure {
  const hasNoRoom = NO_ROOM.includes(code?.toString() ?? "");
  return new MachineFailure(
    "refused",
    hasNoRoom ? reason("engine.no_room") : reason("engine.not_brought", {}, why?.toString()),
  );
}
