import { connect, makeNamespace, type Namespace } from "./namespace.ts";
import { HOST_SECOND_ADDRESS, type LabNetwork, TARGET_ADDRESS, TARGET_ADDRESS_V6 } from "./network.ts";

/*
 * Other servers of the club, on the other side of the internet and with ways of their own to the same target:
 *
 *   host 192.0.2.1 ── internet ── 192.0.3.1 exit-1 203.0.114.1 ── 203.0.114.10 target (203.0.113.10)
 *
 * The target tells by whose address a request came.
 */
export interface ExitServer {
  exit: Namespace;
  /** On the internet. */
  address: string;
  /** Cuts the cable to the internet, or joins it again. */
  cut(): Promise<void>;
  join(): Promise<void>;
}

/** `number`: 1 or more. */
export async function addExit(
  { internet, target }: Pick<LabNetwork, "internet" | "target">,
  number: number,
): Promise<ExitServer> {
  const exit = await makeNamespace(`exit-${number}`);
  const [outer, inner, innerV6] = [`192.0.${2 + number}`, `203.0.${113 + number}`, `2001:db8:${113 + number}:`];
  const cable = `to-exit-${number}`;
  await connect(
    { at: internet, name: cable, addresses: [`${outer}.254/24`] },
    { at: exit, name: "eth0", addresses: [`${outer}.1/24`] },
  );
  await exit.exec("ip", ["route", "replace", "default", "via", `${outer}.254`]);
  await connect(
    { at: target, name: `eth${number}`, addresses: [`${inner}.10/24`, `${innerV6}:10/64`] },
    { at: exit, name: "eth1", addresses: [`${inner}.1/24`, `${innerV6}:1/64`] },
  );
  await exit.exec("ip", ["route", "add", TARGET_ADDRESS, "via", `${inner}.10`]);
  await exit.exec("ip", ["-6", "route", "add", TARGET_ADDRESS_V6, "via", `${innerV6}:10`]);
  const turn = (to: "up" | "down") => async () => void (await internet.exec("ip", ["link", "set", cable, to]));
  return { exit, address: `${outer}.1`, cut: turn("down"), join: turn("up") };
}

const SERVERS = new Map([
  [HOST_SECOND_ADDRESS, "entry"],
  ["2001:db8:113::1", "entry"],
  ...[1, 2].flatMap((number) => [
    [`203.0.${113 + number}.1`, `exit ${number}`] as const,
    [`2001:db8:${113 + number}::1`, `exit ${number}`] as const,
  ]),
]);

/** By whom an answer of the target came; null: none came. */
export function seenBy(answer: string | null): string | null {
  if (answer === null) return null;
  const address = (/ sees (\S+)/.exec(answer)?.[1] ?? "").replace("::ffff:", "");
  return SERVERS.get(address) ?? address;
}
