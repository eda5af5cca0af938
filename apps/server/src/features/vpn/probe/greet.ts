import { createSocket } from "node:dgram";
import { isIP } from "node:net";
import type { ProbeReply } from "@krug/domain/probe";
import type { Initiator } from "@krug/wireguard/handshake";

/** Where an interface listens, as an address, and who sends the handshake. */
export interface Greeting {
  address: string;
  port: number;
  initiator: Initiator;
  /** Ends it early, with whatever is known by then. */
  signal: AbortSignal;
}

/** Probes an interface over the network. Never throws; a port, because the sample club has no machine. */
export type Greet = (greeting: Greeting) => Promise<ProbeReply>;

/** Datagrams may be lost: after three, this far apart, nobody answers. */
const TIMES = 3;
const EVERY_MS = 1_500;
/** Each costs work to check, and an interface sends one or two. */
const MOST_DATAGRAMS = 20;

/** There was no route out of this machine, so it says nothing about the other one. */
const UNSENT = new Set(["ENETUNREACH", "EADDRNOTAVAIL", "EAFNOSUPPORT", "ENETDOWN", "EPERM", "EACCES", "EINVAL"]);

/**
 * A handshake over UDP, started up to three times. The socket is connected, so that it gets ICMP refusals; a refusal followed by
 * an answer was a tunnel just starting.
 */
export const makeGreetByUdp =
  (everyMs = EVERY_MS): Greet =>
  ({ address, port, initiator, signal }) =>
    new Promise((resolve) => {
      if (signal.aborted) return resolve("unsent");
      const socket = createSocket(isIP(address) === 6 ? "udp6" : "udp4").unref();
      let known: ProbeReply = "unsent";
      let isProven = false;
      const end = () => {
        signal.removeEventListener("abort", end);
        for (const timer of timers) clearTimeout(timer);
        socket.removeAllListeners().on("error", () => {});
        socket.close();
        resolve(known);
      };
      const note = (error: NodeJS.ErrnoException | null) => {
        if (error === null) {
          if (known === "unsent") known = "silent";
        } else if (error.code === "ECONNREFUSED") known = "refused";
        else if (!UNSENT.has(error.code ?? "") && known === "unsent") known = "silent";
      };
      const send = () => {
        for (const datagram of initiator.initiate(Date.now())) socket.send(datagram, note);
      };
      const timers = Array.from({ length: TIMES }, (_, sent) =>
        setTimeout(sent + 1 < TIMES ? send : end, everyMs * (sent + 1)),
      );
      signal.addEventListener("abort", end);
      socket.on("error", note);
      let heard = 0;
      socket.on("message", (datagram) => {
        heard += 1;
        if (heard > MOST_DATAGRAMS) return end();
        const reply = initiator.read(datagram, Date.now());
        if (reply === "cookie" && !isProven) {
          isProven = true;
          send();
        }
        if (reply !== "accepted") return;
        known = "answered";
        end();
      });
      socket.connect(port, address, (error?: Error) => {
        if (error === undefined) send();
        else {
          note(error);
          end();
        }
      });
    });
