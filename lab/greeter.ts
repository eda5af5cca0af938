import { type HandshakeKeys, makeInitiator } from "@krug/wireguard/handshake";
import { makeGreetByUdp } from "../apps/server/src/features/vpn/probe/index.ts";

/* Sends a handshake to an interface from this machine, and prints the answer. Arguments: address, port, the keys as JSON. */
const [, , address = "", port = "", keys = ""] = process.argv;
const initiator = makeInitiator(JSON.parse(keys) as HandshakeKeys);
console.log(await makeGreetByUdp()({ address, port: Number(port), initiator, signal: new AbortController().signal }));
