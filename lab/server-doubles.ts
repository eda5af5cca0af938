import { asPrivateKey, type PrivateKey } from "@krug/wireguard/key-text";
import { publicKeyOf } from "@krug/wireguard/keys";
import { newSshKey } from "../apps/server/src/hosts/ssh/new-key.ts";
import { serveAsAgent } from "../apps/server/testing/agent-double.ts";
import { type MemoryMachine, makeMemoryMachine } from "../apps/server/testing/memory-machine.ts";
import { startSshDouble } from "../apps/server/testing/ssh-double.ts";

/* The soak's servers, in their own process: ssh2's own SSH server in front of a machine in memory, each at its own port. */

/** What the test asks (many-servers.ts). */
export type DoublesQuestion =
  | { serve: number; authorizedKey: string }
  | { empty: true }
  | { countPeers: true }
  | { listPeers: true }
  | { takeChanges: true };
export interface DoublesAnswer {
  ports?: number[];
  fingerprint?: string;
  /** By server: peers with an address, so without the panel's own. */
  peers?: number[];
  /** The same peers' public keys. */
  keys?: string[][];
  changes?: WireChange[];
}
/** A peer that got its address, or lost it. */
export type WireChange = [publicKey: string, isOn: boolean, at: number];

let machines: MemoryMachine[] = [];
/** Since they were last taken; null until somebody asks. */
let changes: WireChange[] | null = null;
const publicKeys = new Map<string, string>();
const publicKey = (key: string): string => {
  const known = publicKeys.get(key) ?? publicKeyOf(asPrivateKey(key) as PrivateKey);
  publicKeys.set(key, known);
  return known;
};

function note(args: readonly string[], stdin: string): void {
  const at = Date.now();
  const [verb] = args;
  if (verb === "addconf")
    for (const peer of stdin.split("[Peer]").slice(1)) {
      const key = /^PublicKey = (.*)$/m.exec(peer)?.[1] ?? "";
      if (peer.includes("\nAllowedIPs = ")) changes?.push([key, true, at]);
    }
  else if (verb === "set")
    for (const [place, word] of args.entries()) if (word === "peer") changes?.push([args[place + 1] ?? "", false, at]);
}

/** The machine, with the moments at which its peers change. */
const noted = (machine: MemoryMachine): MemoryMachine => ({
  ...machine,
  async run(program, args, options) {
    const answer = await machine.run(program, args, options);
    if (changes !== null && program === "wg") note(args, options?.stdin ?? "");
    return answer;
  },
});

async function serve(count: number, authorizedKey: string): Promise<DoublesAnswer> {
  const hostKey = newSshKey().privateKey;
  machines = Array.from({ length: count }, () => makeMemoryMachine(publicKey));
  const doubles = await Promise.all(
    machines.map((_, index) =>
      startSshDouble({
        hostKey,
        authorizedKey,
        run: () => (stream) => serveAsAgent(noted(machines[index] as MemoryMachine), stream),
      }),
    ),
  );
  return { ports: doubles.map(({ port }) => port), fingerprint: doubles[0]?.fingerprint ?? "" };
}

const peersOf = ({ tunnels }: MemoryMachine): string[] =>
  [...tunnels.values()].flatMap(({ peers }) =>
    [...peers].flatMap(([key, [, , ips]]) => (ips === "(none)" ? [] : [key])),
  );

async function answerTo(question: DoublesQuestion): Promise<DoublesAnswer> {
  if ("serve" in question) return serve(question.serve, question.authorizedKey);
  if ("countPeers" in question) return { peers: machines.map((machine) => peersOf(machine).length) };
  if ("listPeers" in question) return { keys: machines.map(peersOf) };
  if ("takeChanges" in question) {
    const taken = changes ?? [];
    changes = [];
    return { changes: taken };
  }
  machines = machines.map(() => makeMemoryMachine(publicKey));
  return {};
}

process.on("message", async (question: DoublesQuestion) => {
  process.send?.(await answerTo(question));
});
process.once("disconnect", () => process.exit());
