import { createSocket } from "node:dgram";
import { type HandshakeKeys, type Initiator, makeInitiator } from "@krug/wireguard/handshake";
import { generateKeyPair } from "@krug/wireguard/keys";
import { makeGreetByUdp } from "../apps/server/src/features/vpn/probe/index.ts";

/*
 * Sends handshakes to an interface of this machine as several peers at once, and prints as JSON what each received and decoded.
 * Arguments: the port, the keys of each as JSON, and how many handshakes of unknown peers come first, which keep the interface
 * busy.
 */
const [, , port = "", peers = "", crowd = "0"] = process.argv;
const all = JSON.parse(peers) as HandshakeKeys[];
/** Silence lasts three times as long. The path is short. */
const EVERY_MS = 400;

if (Number(crowd) > 0 && all[0] !== undefined) {
  const socket = createSocket("udp4");
  const datagram = makeInitiator({ ...all[0], privateKey: generateKeyPair().privateKey })
    .initiate(Date.now())
    .at(-1);
  for (let sent = 0; sent < Number(crowd); sent += 1) socket.send(datagram ?? "", Number(port), "127.0.0.1");
  socket.unref();
}

const replies = await Promise.all(
  all.map(async (keys) => {
    const heard: string[] = [];
    const inner = makeInitiator(keys);
    const initiator: Initiator = {
      ...inner,
      read(received, now) {
        const reply = inner.read(received, now);
        if (reply !== null) heard.push(reply);
        return reply;
      },
    };
    const { signal } = new AbortController();
    const greet = makeGreetByUdp(EVERY_MS);
    const state = await greet({ address: "127.0.0.1", port: Number(port), initiator, signal });
    return [...heard, state].join(" ");
  }),
);
console.log(JSON.stringify(replies));
