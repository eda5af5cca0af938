import { createSocket } from "node:dgram";
import { type HandshakeKeys, type Initiator, makeInitiator } from "@krug/wireguard/handshake";
import { generateKeyPair } from "@krug/wireguard/keys";
import { makeGreetByUdp } from "../apps/server/src/features/vpn/probe/index.ts";

/*
 * Sends handshakes to an interface of this machine as several peers at once, and prints as JSON what each received and decoded.
 * Arguments: the port, the keys of each as JSON, and how many handshakes of unknown peers come first, which keep the interface
 * busy. Then the first peer must get a cookie before it is accepted: a busy interface loses datagrams, and a quick one is busy
 * for a moment only, so the crowd and the peers return until that happened.
 */
const [, , port = "", peers = "", crowd = "0"] = process.argv;
const all = JSON.parse(peers) as HandshakeKeys[];
/** Silence lasts three times as long. The path is short. */
const EVERY_MS = 400;
const ROUNDS = Number(crowd) > 0 ? 30 : 1;
const greet = makeGreetByUdp(EVERY_MS);

function makePeer(keys: HandshakeKeys) {
  const inner = makeInitiator(keys);
  let heard: string[] = [];
  let state = "";
  const initiator: Initiator = {
    ...inner,
    read(received, now) {
      const reply = inner.read(received, now);
      if (reply === "cookie") heard = [reply];
      else if (reply !== null && heard.at(-1) !== reply) heard.push(reply);
      return reply;
    },
  };
  return {
    async greet() {
      const { signal } = new AbortController();
      state = await greet({ address: "127.0.0.1", port: Number(port), initiator, signal });
    },
    result: () => [...heard, state].join(" "),
  };
}

function sendCrowd(): void {
  if (all[0] === undefined || Number(crowd) === 0) return;
  const socket = createSocket("udp4");
  const datagram = makeInitiator({ ...all[0], privateKey: generateKeyPair().privateKey })
    .initiate(Date.now())
    .at(-1);
  for (let sent = 0; sent < Number(crowd); sent += 1) socket.send(datagram ?? "", Number(port), "127.0.0.1");
  socket.unref();
}

const made = all.map(makePeer);
for (let round = 0; round < ROUNDS; round += 1) {
  sendCrowd();
  await Promise.all(made.map((peer) => peer.greet()));
  if (made[0]?.result() === "cookie accepted answered") break;
}
console.log(JSON.stringify(made.map((peer) => peer.result())));
