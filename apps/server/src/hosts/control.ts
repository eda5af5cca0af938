import { DumpError, makeDumpParser, parseInterfaceDump } from "@krug/wireguard/dump";
import type { ActualInterface } from "@krug/wireguard/interface";
import type { PublicKey } from "@krug/wireguard/key-text";
import { writePeers } from "@krug/wireguard/peers-text";
import type { TunnelProtocol, TunnelType } from "@krug/wireguard/protocol";
import { isInterfaceName } from "./links.ts";
import { type Machine, NobodyAnswers, ProgramFailed, Unreadable } from "./machine.ts";
import { changeByUapi, type InterfaceChange, readByUapi, socketPath } from "./uapi.ts";

export type ProtocolWithProgram = TunnelProtocol & { program: string };

/** The protocols of a machine's tunnels: WireGuard, and others the panel has an engine for. */
export type Protocols = { wireguard: TunnelProtocol } & { [Type in TunnelType]?: TunnelProtocol };

/** Reads and sets WireGuard itself, whatever implements it. */
export interface Control {
  readAll(): Promise<ActualInterface[]>;
  /** Null if there is no such WireGuard interface. With `only`, the result has no other peers. */
  read(name: string, only?: readonly PublicKey[]): Promise<ActualInterface | null>;
  change(name: string, change: InterfaceChange): Promise<void>;
}

/** 300 keys of 44 characters: far below the limit of an argument list. */
const REMOVALS_AT_ONCE = 300;
const PEERS_AT_ONCE = 1_000;

/** The ways to control a machine's tunnels: `way` says whether an engine's are controlled by socket, if there is a choice. */
export function controlOver(
  way: "socket" | "program",
  machine: Machine,
  protocol: TunnelProtocol,
  parse = makeDumpParser(protocol),
): Control {
  const { program } = protocol;
  if (program === null) return controlBySocketsAlone(machine, protocol);
  return (way === "socket" ? controlBySocket : controlByProgram)(machine, { ...protocol, program }, parse);
}

/** If no program lists the interfaces, they are those that answer. */
function controlBySocketsAlone(machine: Machine, protocol: TunnelProtocol): Control {
  const read = async (name: string, only?: readonly PublicKey[]) =>
    readByUapi(machine, protocol, name, only).catch((error: unknown) => {
      if (error instanceof NobodyAnswers) return null;
      throw error;
    });
  return {
    async readAll() {
      const found = await Promise.all((await namesOfSockets(machine, protocol)).map((name) => read(name)));
      return found.flatMap((tunnel) => (tunnel === null ? [] : withoutGreetings(tunnel)));
    },
    read,
    change: (name, change) => changeByUapi(machine, protocol, name, change),
  };
}

/** Drops counters of a peer that only sends handshakes, like the dump parser: a probe a minute is not a change. */
const withoutGreetings = (tunnel: ActualInterface): ActualInterface => ({
  ...tunnel,
  peers: tunnel.peers.map((peer) =>
    peer.allowedIps.length > 0 || peer.lastHandshakeAt !== null
      ? peer
      : { ...peer, hasEndpoint: false, rxBytes: 0, txBytes: 0 },
  ),
});

/** Includes interfaces that are gone: a killed engine leaves its socket. */
export async function namesOfSockets(machine: Machine, { socketFolder }: TunnelProtocol): Promise<string[]> {
  const files = await machine.listFolder(socketFolder);
  return files.flatMap((file) => {
    const name = /^(.+)\.sock$/.exec(file)?.[1];
    return name !== undefined && isInterfaceName(name) ? [name] : [];
  });
}

/** By the protocol's program, which talks to both the kernel and an engine. `parse` reads a machine's successive dumps. */
export function controlByProgram(
  machine: Machine,
  protocol: ProtocolWithProgram,
  parse = makeDumpParser(protocol),
): Control {
  const { program } = protocol;
  return {
    // An interface that vanishes meanwhile is left out, as it would be a moment later: the program reports it on stderr, and
    // fails if there is no other.
    readAll: async () => {
      const text = await machine.run(program, ["show", "all", "dump"]).catch((error) => {
        if (hasVanished(error)) return "";
        throw error;
      });
      return readable(program, () => parse(text));
    },

    async read(name, only) {
      const text = await machine.run(program, ["show", name, "dump"]).catch((error) => {
        if (hasVanished(error)) return null;
        throw error;
      });
      if (text === null) return null;
      return readable(program, () => parseInterfaceDump(name, only ? linesOf(text, only) : text, protocol));
    },

    async change(name, { privateKey, listenPort, parameters = {}, remove, silence = [], upsert }) {
      for (const keys of batches(remove, REMOVALS_AT_ONCE)) {
        await machine.run(program, ["set", name, ...keys.flatMap((key) => ["peer", key, "remove"])]);
      }
      for (const keys of batches(silence, REMOVALS_AT_ONCE)) {
        await machine.run(program, ["set", name, ...keys.flatMap((key) => ["peer", key, "allowed-ips", ""])]);
      }
      const settings = [
        ...(listenPort ? ["listen-port", String(listenPort)] : []),
        ...Object.entries(parameters).flat(),
        ...(privateKey ? ["private-key", "/dev/stdin"] : []),
      ];
      if (settings.length > 0) {
        await machine.run(program, ["set", name, ...settings], privateKey ? { stdin: `${privateKey}\n` } : {});
      }
      for (const peers of batches(upsert, PEERS_AT_ONCE)) {
        await machine.run(program, ["addconf", name, "/dev/stdin"], { stdin: writePeers(peers) });
      }
    },
  };
}

/** An interface, or the program that runs it, went away while it was read. */
const hasVanished = (error: unknown) =>
  error instanceof ProgramFailed && /No such device|Unable to access/.test(error.stderr);

/** By the interface's control socket if it has one, else by the program. */
export function controlBySocket(
  machine: Machine,
  protocol: ProtocolWithProgram,
  parse = makeDumpParser(protocol),
): Control {
  const byProgram = controlByProgram(machine, protocol, parse);
  return {
    readAll: byProgram.readAll,
    read: (name, only) =>
      whereAnswered(
        () => readByUapi(machine, protocol, name, only),
        () => byProgram.read(name, only),
      ),
    change: (name, change) =>
      whereAnswered(
        () => changeByUapi(machine, protocol, name, change),
        () => byProgram.change(name, change),
      ),
  };
}

async function whereAnswered<T>(ask: () => Promise<T>, otherwise: () => Promise<T>): Promise<T> {
  try {
    return await ask();
  } catch (error) {
    if (error instanceof NobodyAnswers) return otherwise();
    throw error;
  }
}

function readable<Answer>(program: string, parse: () => Answer): Answer {
  try {
    return parse();
  } catch (error) {
    if (error instanceof DumpError) throw new Unreadable(program, { cause: error });
    throw error;
  }
}

/** What identifies an interface: its control socket, or the kernel's number. `identity` changes when it is recreated. */
export interface Incarnation {
  kind: "socket" | "link";
  path: string;
  identity: string;
}

/** Null if there is no such interface. */
export async function incarnation(
  machine: Machine,
  protocol: TunnelProtocol,
  name: string,
): Promise<Incarnation | null> {
  const paths = { socket: socketPath(protocol, name), link: `/sys/class/net/${name}` };
  const [socket, link] = await Promise.all([
    machine.identify(paths.socket),
    // Tunnels that no program can read are identified only by their socket.
    protocol.program === null ? null : machine.identify(paths.link),
  ]);
  if (socket !== null) return { kind: "socket", path: paths.socket, identity: socket };
  return link === null ? null : { kind: "link", path: paths.link, identity: link };
}

/** The interface's own line and those of the given peers. */
function linesOf(dump: string, only: readonly PublicKey[]): string {
  const wanted = new Set<string>(only);
  const [head = "", ...peers] = dump.trimEnd().split("\n");
  return `${[head, ...peers.filter((line) => wanted.has(line.slice(0, line.indexOf("\t"))))].join("\n")}\n`;
}

function batches<T>(list: readonly T[], size: number): T[][] {
  const answer: T[][] = [];
  for (let start = 0; start < list.length; start += size) answer.push(list.slice(start, start + size));
  return answer;
}
