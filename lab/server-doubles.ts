import { asPrivateKey, type PrivateKey } from "@krug/wireguard/key-text";
import { publicKeyOf } from "@krug/wireguard/keys";
import { newSshKey } from "../apps/server/src/hosts/ssh/new-key.ts";
import { serveAsAgent } from "../apps/server/testing/agent-double.ts";
import { type MemoryMachine, makeMemoryMachine } from "../apps/server/testing/memory-machine.ts";
import { startSshDouble } from "../apps/server/testing/ssh-double.ts";

/* The soak's servers, in their own process: ssh2's own SSH server in front of a machine in memory, each at its own port. */

/** What the test asks (many-servers.ts). */
export type DoublesQuestion = { serve: number; authorizedKey: string } | { empty: true } | { countPeers: true };
export interface DoublesAnswer {
  ports?: number[];
  fingerprint?: string;
  /** By server: peers with an address, so without the panel's own. */
  peers?: number[];
}

let machines: MemoryMachine[] = [];
const publicKeys = new Map<string, string>();
const publicKey = (key: string): string => {
  const known = publicKeys.get(key) ?? publicKeyOf(asPrivateKey(key) as PrivateKey);
  publicKeys.set(key, known);
  return known;
};

async function serve(count: number, authorizedKey: string): Promise<DoublesAnswer> {
  const hostKey = newSshKey().privateKey;
  machines = Array.from({ length: count }, () => makeMemoryMachine(publicKey));
  const doubles = await Promise.all(
    machines.map((_, index) =>
      startSshDouble({
        hostKey,
        authorizedKey,
        run: () => (stream) => serveAsAgent(machines[index] as MemoryMachine, stream),
      }),
    ),
  );
  return { ports: doubles.map(({ port }) => port), fingerprint: doubles[0]?.fingerprint ?? "" };
}

const peersOf = ({ tunnels }: MemoryMachine) =>
  [...tunnels.values()].flatMap(({ peers }) => [...peers.values()].filter(([, , ips]) => ips !== "(none)")).length;

async function answerTo(question: DoublesQuestion): Promise<DoublesAnswer> {
  if ("serve" in question) return serve(question.serve, question.authorizedKey);
  if ("countPeers" in question) return { peers: machines.map(peersOf) };
  machines = machines.map(() => makeMemoryMachine(publicKey));
  return {};
}

process.on("message", async (question: DoublesQuestion) => {
  process.send?.(await answerTo(question));
});
process.once("disconnect", () => process.exit());
