import { createHash } from "node:crypto";
import { reason } from "@krug/domain/reasons";
import { type Machine, NobodyAnswers, ProgramFailed } from "../src/hosts/machine.ts";

interface MemoryEngine {
  /** Unique for each engine that was started. */
  identity: string;
  /** `private_key` and the like, as lines of the control socket. */
  head: Map<string, string>;
  /** By public key in hex: the lines below it. */
  peers: Map<string, string[]>;
  /** The line of its rules; null lets nothing pass. */
  network: string | null;
  /** The line of its speed limits, empty before the first; null as in an older engine, which knows none. */
  speeds: string | null;
}

/** An in-memory machine with nothing but the panel's engine: no root, no program, no link. */
export interface MemoryEngines extends Machine {
  /** By the path of the control socket. */
  readonly engines: Map<string, MemoryEngine>;
  /** Requests and starts, without their input. */
  readonly asked: string[];
  readonly files: Map<string, string>;
  /** Called before each request: the engine refuses with what it answers. */
  refuse: (question: string) => number | undefined;
}

const sumOf = (line: string | null) => (line ? createHash("sha256").update(line).digest("hex") : "");

export function makeMemoryEngines(): MemoryEngines {
  const engines = new Map<string, MemoryEngine>();
  let count = 0;
  const files = new Map([
    ["/proc/sys/kernel/ostype", "Linux\n"],
    ["/proc/sys/kernel/random/boot_id", "8a1b7c3e-0000-4000-8000-000000000001\n"],
    ["/proc/self/status", "CapEff:\t0000000000000000\n"],
  ]);

  const set = ({ head, peers }: MemoryEngine, lines: readonly string[]) => {
    let peer: string | null = null;
    for (const line of lines) {
      const at = line.indexOf("=");
      const [name, value] = [line.slice(0, at), line.slice(at + 1)];
      if (name === "public_key") {
        peer = value;
        if (!peers.has(value)) peers.set(value, ["rx_bytes=0", "tx_bytes=0"]);
      } else if (peer === null) head.set(name, value);
      else if (name === "remove") peers.delete(peer);
      else if (name === "replace_allowed_ips")
        peers.set(
          peer,
          (peers.get(peer) ?? []).filter((each) => !each.startsWith("allowed_ip=")),
        );
      else if (name !== "update_only") peers.get(peer)?.unshift(line);
    }
  };

  const answer = (path: string, engine: MemoryEngine, question: string): string => {
    const [verb = "", ...lines] = question.trimEnd().split("\n");
    if (verb === "set=1") set(engine, lines);
    if (verb === "network=1") engine.network = lines[0] ?? "";
    if (verb === "stop=1") engines.delete(path);
    if (verb === "get=1") {
      const peers = [...engine.peers].flatMap(([key, fields]) => [`public_key=${key}`, ...fields]);
      return [...[...engine.head].map((each) => each.join("=")), ...peers].map((line) => `${line}\n`).join("");
    }
    if (verb === "speeds=1" && engine.speeds !== null) engine.speeds = lines[0] ?? "";
    if (verb === "speeds?=1") return `speeds=${engine.speeds}\n`;
    if (verb !== "network?=1") return "";
    const speeds = engine.speeds === null ? "" : `speeds=${sumOf(engine.speeds)}\n`;
    return `sha256=${sumOf(engine.network)}\n${speeds}flows=0\nmemory=0\n`;
  };

  const machine: MemoryEngines = {
    engines,
    files,
    asked: [],
    refuse: () => undefined,
    async run(program, args) {
      if (String(args) === "--userspace-networking")
        throw new ProgramFailed(program, "failed", 2, "Usage:\n  -userspace-networking\n    \tmake no interface");
      throw new ProgramFailed(program, "not_found", null, "ENOENT");
    },
    async start(_program, args) {
      const path = `${args[args.indexOf("--sockets") + 1]}/${args.at(-1)}.sock`;
      machine.asked.push(`start ${args.at(-1)}`);
      count += 1;
      engines.set(path, { identity: String(count), head: new Map(), peers: new Map(), network: null, speeds: "" });
      return { failure: () => null, stop: () => void engines.delete(path) };
    },
    follow: () => ({ stop: () => undefined }),
    findProgram: async (program) => (program.startsWith("/") ? program : null),
    readFile: async (path) => files.get(path) ?? null,
    writeFile: async () => undefined,
    listFolder: async (folder) =>
      [...engines.keys()].flatMap((path) => (path.startsWith(`${folder}/`) ? path.slice(folder.length + 1) : [])),
    canWrite: async () => false,
    identify: async (path) => engines.get(path)?.identity ?? null,
    async ask(path, question) {
      const engine = engines.get(path);
      if (engine === undefined) throw new NobodyAnswers("refused", reason("call.nobody", { path }));
      machine.asked.push(question.slice(0, question.indexOf("\n")));
      const errno = machine.refuse(question);
      return errno === undefined ? `${answer(path, engine, question)}errno=0\n\n` : `errno=${errno}\n\n`;
    },
  };
  return machine;
}
