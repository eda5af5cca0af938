import type { Namespace } from "./namespace.ts";

/* What somebody on the path can tell from only a datagram's first bytes and its size. */

/** `seen`: all datagrams; `plain`: those that start like WireGuard's; `sizes`: those as long as its handshake messages. */
export type Look = "seen" | "plain" | "sizes";
const LOOKS: readonly Look[] = ["seen", "plain", "sizes"];
/** Including the UDP header. */
const HANDSHAKES = "{ 156, 100, 72 }";
const BEGINNINGS = "{ 0x01000000, 0x02000000, 0x03000000, 0x04000000 }";

/** From now on counts what interfaces on these ports receive and send; `address`: only this machine's. */
export async function watchWire(
  at: Namespace,
  ports: readonly number[],
  {
    hook = "forward",
    sides = ["dport", "sport"],
    address,
  }: { hook?: "forward" | "output"; sides?: ("dport" | "sport")[]; address?: string } = {},
) {
  const rules = ports.flatMap((port) =>
    sides.flatMap((side) => {
      const its = address === undefined ? "" : `ip ${side === "dport" ? "daddr" : "saddr"} ${address} `;
      return [
        `${its}udp ${side} ${port} counter name seen${port}`,
        `${its}udp ${side} ${port} @th,64,32 ${BEGINNINGS} counter name plain${port}`,
        `${its}udp ${side} ${port} udp length ${HANDSHAKES} counter name sizes${port}`,
      ];
    }),
  );
  const counters = ports.flatMap((port) => LOOKS.map((look) => `counter ${look}${port} { }`));
  const chain = [`type filter hook ${hook} priority 0`, ...rules].join("\n");
  const table = `table inet watch {\n${counters.join("\n")}\nchain look {\n${chain}\n}\n}\n`;
  await at.exec("nft", ["-f", "/dev/stdin"], { stdin: table });
  return async (look: Look, port: number): Promise<number> => {
    const text = await at.exec("nft", ["list", "counter", "inet", "watch", `${look}${port}`]);
    return Number(/packets (\d+)/.exec(text)?.[1]);
  };
}
