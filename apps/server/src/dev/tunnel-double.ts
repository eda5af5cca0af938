import { createSocket } from "node:dgram";
import { once } from "node:events";
import type { KeyPair, PublicKey } from "@krug/wireguard/keys";
import { Dropped, makeResponder } from "@krug/wireguard/responder-double";

/**
 * For tests: a UDP port that answers handshakes as an interface with these keys does, to these peers. `loses` drops that many
 * datagrams first, as a network may.
 */
export async function startTunnelDouble(
  {
    keys,
    peers,
    isBusy,
    loses = 0,
  }: { keys: KeyPair; peers: readonly PublicKey[]; isBusy?: () => boolean; loses?: number },
  address = "127.0.0.1",
) {
  const answer = makeResponder(keys, new Map(peers.map((peer) => [peer, null])), isBusy ? { isBusy } : {});
  const socket = createSocket("udp4");
  const heard = { datagrams: 0 };
  socket.on("message", (datagram, from) => {
    heard.datagrams += 1;
    if (heard.datagrams <= loses) return;
    try {
      socket.send(answer(datagram), from.port, from.address);
    } catch (error) {
      if (!(error instanceof Dropped)) throw error;
    }
  });
  socket.bind(0, address);
  await once(socket, "listening");
  return {
    port: socket.address().port,
    heard,
    async stop(): Promise<void> {
      socket.close();
      await once(socket, "close");
    },
  };
}
