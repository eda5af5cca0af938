import { createSocket } from "node:dgram";
import { once } from "node:events";
import type { PublicKey } from "@krug/wireguard/key-text";
import type { KeyPair } from "@krug/wireguard/keys";
import type { TunnelParameters } from "@krug/wireguard/protocol";
import { Dropped, makeResponder } from "@krug/wireguard/responder-double";

/**
 * For tests: a UDP port that answers handshakes as an interface with these keys does, to these peers. `loses` first drops that
 * many datagrams, as a network may. `profile`: an AmneziaWG interface.
 */
export async function startTunnelDouble(
  {
    keys,
    peers,
    loses = 0,
    ...about
  }: {
    keys: KeyPair;
    peers: readonly PublicKey[];
    isBusy?: () => boolean;
    profile?: TunnelParameters;
    loses?: number;
  },
  address = "127.0.0.1",
) {
  const answer = makeResponder(keys, new Map(peers.map((peer) => [peer, null])), about);
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
