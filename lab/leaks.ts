import type { Namespace, Started } from "./namespace.ts";
import * as lab from "./network.ts";

/* Packets sent repeatedly to places that they must never reach, and to one that they must reach. */
const PORT = 9999;

export interface Leaks {
  /** How many have arrived at the allowed place. */
  arrived(): number;
  /** The forbidden places that were reached, and by how many. */
  leaked(): string[];
  /** Waits until more have arrived at the allowed place. */
  goesOn(what: string): Promise<unknown>;
}

/**
 * Listens at each place, and sends from there to all of their addresses. `forbidden`: by name, the machine and one address of it,
 * or all.
 */
export async function sendEverywhere(
  from: Namespace,
  target: Namespace,
  forbidden: Record<string, { at: Namespace; address?: string }>,
  addresses: readonly string[],
): Promise<Leaks> {
  const receiver = async (at: Namespace, address = "::") => {
    const started = await at.start(process.execPath, ["-e", RECEIVE, String(PORT), address]);
    await lab.until("it receives", () => started.output().includes("listening"));
    return started;
  };
  const wrong = await Promise.all(
    Object.entries(forbidden).map(async ([name, { at, address }]) => [name, await receiver(at, address)] as const),
  );
  const right = await receiver(target, lab.TARGET_ADDRESS);
  await from.start(process.execPath, ["-e", SEND, String(PORT), lab.TARGET_ADDRESS, ...addresses]);
  const cameTo = (at: Started) =>
    at
      .output()
      .split("\n")
      .filter((line) => line === "came").length;
  const arrived = () => cameTo(right);
  return {
    arrived,
    leaked: () => wrong.flatMap(([name, at]) => (cameTo(at) > 0 ? [`${name}: ${cameTo(at)}`] : [])),
    goesOn(what) {
      const before = arrived();
      return lab.until(what, () => arrived() > before + 20);
    },
  };
}

const RECEIVE = `
  const [port, address] = process.argv.slice(1);
  const socket = require("dgram").createSocket(address.includes(":") ? "udp6" : "udp4");
  socket.on("message", () => console.log("came")).bind(Number(port), address, () => console.log("listening"));`;

const SEND = `
  const [port, ...places] = process.argv.slice(1);
  const sockets = { 4: require("dgram").createSocket("udp4"), 6: require("dgram").createSocket("udp6") };
  for (const socket of Object.values(sockets)) socket.on("error", () => {});
  setInterval(() => {
    for (const place of places) sockets[place.includes(":") ? 6 : 4].send("x", Number(port), place, () => {});
  }, 2);`;
