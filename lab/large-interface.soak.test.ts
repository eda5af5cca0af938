import { once } from "node:events";
import type { DesiredPeer } from "@krug/wireguard/interface";
import { afterAll, beforeAll, expect, test } from "vitest";
import { connectSsh, type SshConnection } from "../apps/server/src/hosts/ssh/connection.ts";
import { median } from "../bench/table.ts";
import { desiredHost, manyPeers, newInterface } from "./club-wire.ts";
import { hostOverSsh, prepareVps, type SshHost } from "./ssh-host.ts";
import { startVps, type Vps } from "./vps.ts";

/* The panel's cost over SSH on an interface of 10,000 peers, next to bare `wg` over a connection of the same kind. */
const PEERS = 10_000;
const TIMES = 15;

let vps: Vps;
let host: SshHost;
let bare: SshConnection;
const ours = newInterface("wg0", 51820, "10.8.0");
const theirs = newInterface("bare0", 51900, "10.7.0");
const [spare, ...crowd] = manyPeers(PEERS + 1) as [DesiredPeer, ...DesiredPeer[]];

beforeAll(async () => {
  vps = await startVps({ password: "not used here" });
  const login = await prepareVps(vps);
  host = hostOverSsh(vps, login);
  const at = { ...vps, username: "root", hostKey: vps.fingerprint, login, isPrepared: false, generation: null };
  bare = await connectSsh(at);
});
afterAll(async () => {
  bare?.end();
  host?.close();
  await vps?.stop();
});

/** Runs a command there in the usual way, with text as its input. The input ends last, so that the command's end is never missed. */
async function there(command: string, input: string | null = null): Promise<void> {
  const channel = await bare.open(input === null ? `cat > /dev/null; ${command}` : command);
  channel.resume();
  channel.stderr.resume();
  const ended = once(channel, "exit");
  channel.end(input ?? "");
  const [code] = await ended;
  expect(code, command.slice(0, 60)).toBe(0);
}
const timed = async (work: () => Promise<unknown>): Promise<number> => {
  const began = performance.now();
  await work();
  return performance.now() - began;
};
const compared = (what: string, mine: number, bare: number) => {
  console.log(`${what}: ${mine.toFixed(0)} ms, bare wg ${bare.toFixed(0)} ms, ratio ${(mine / bare).toFixed(2)}`);
  return mine / bare;
};
const lines = ({ publicKey, presharedKey, allowedIps }: DesiredPeer) =>
  `[Peer]\nPublicKey = ${publicKey}\nPresharedKey = ${presharedKey}\nAllowedIPs = ${allowedIps.join(", ")}\n`;

test(`${PEERS} peers are added in little more time than wg itself takes`, async () => {
  const full = desiredHost({ ...ours, peers: crowd });
  await host.apply(desiredHost(ours));
  const mine = await timed(async () => {
    const { addedPeers } = await host.apply(full);
    expect(addedPeers).toHaveLength(PEERS);
  });
  expect(Number(await vps.exec("wg show wg0 peers | wc -l"))).toBe(PEERS);
  await there("wireguard-go bare0 && ip link set bare0 up");
  const file = `[Interface]\nPrivateKey = ${theirs.privateKey}\nListenPort = 51900\n${crowd.map(lines).join("")}`;
  const alone = await timed(() => there("wg setconf bare0 /dev/stdin", file));
  expect(compared(`${PEERS} peers`, mine, alone)).toBeLessThan(3);
  const again = await timed(() => host.apply(full));
  compared("the same again", again, alone);
});

test("one more peer costs at most half as much again as one `wg set`", async () => {
  const change = { interfaceName: "wg0", interfaceKey: ours.publicKey, upsert: [], remove: [] };
  const [address] = spare.allowedIps;
  const mine: number[] = [];
  const alone: number[] = [];
  // The two alternate, so other load on the machine affects both.
  for (let n = 0; n < TIMES; n += 1) {
    mine.push(await timed(() => host.applyPeers({ ...change, upsert: [spare] })));
    if (n === 0) expect(await vps.exec(`wg show wg0 allowed-ips | grep -F ${spare.publicKey}`)).toContain(address);
    alone.push(
      await timed(() =>
        there(
          `wg set bare0 peer ${spare.publicKey} preshared-key /dev/stdin allowed-ips ${address}`,
          `${spare.presharedKey}\n`,
        ),
      ),
    );
    await host.applyPeers({ ...change, remove: [spare.publicKey] });
    await there(`wg set bare0 peer ${spare.publicKey} remove`);
  }
  expect(compared("one peer", median(mine), median(alone))).toBeLessThanOrEqual(1.5);
});
