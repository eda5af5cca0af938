import { connect, makeNamespace, type Namespace } from "./namespace.ts";
import { HOST_SECOND_ADDRESS, type LabNetwork } from "./network.ts";

/*
 * Another server of the club, on the other side of the internet and with a way of its own to the same target:
 *
 *   host 192.0.2.1 ── internet ── 192.0.3.1 exit 203.0.114.1 ── 203.0.114.10 target (203.0.113.10)
 *
 * The target tells by whose address a request came.
 */
export const EXIT_ADDRESS = "192.0.3.1";
const EXIT_SECOND_ADDRESS = "203.0.114.1";
const EXIT_SECOND_ADDRESS_V6 = "2001:db8:114::1";

export interface ExitServer {
  exit: Namespace;
  /** Cuts the cable to the internet, or joins it again. */
  cut(): Promise<void>;
  join(): Promise<void>;
}

export async function addExit({ internet, target }: Pick<LabNetwork, "internet" | "target">): Promise<ExitServer> {
  const exit = await makeNamespace("exit");
  await connect(
    { at: internet, name: "to-exit", addresses: ["192.0.3.254/24"] },
    { at: exit, name: "eth0", addresses: [`${EXIT_ADDRESS}/24`] },
  );
  await exit.exec("ip", ["route", "replace", "default", "via", "192.0.3.254"]);
  await connect(
    { at: target, name: "eth1", addresses: ["203.0.114.10/24", "2001:db8:114::10/64"] },
    { at: exit, name: "eth1", addresses: [`${EXIT_SECOND_ADDRESS}/24`, `${EXIT_SECOND_ADDRESS_V6}/64`] },
  );
  await exit.exec("ip", ["route", "add", "203.0.113.0/24", "via", "203.0.114.10"]);
  await exit.exec("ip", ["-6", "route", "add", "2001:db8:113::/64", "via", "2001:db8:114::10"]);
  return {
    exit,
    cut: async () => void (await internet.exec("ip", ["link", "set", "to-exit", "down"])),
    join: async () => void (await internet.exec("ip", ["link", "set", "to-exit", "up"])),
  };
}

/** By whom an answer of the target came; null: none came. */
export function seenBy(answer: string | null): "entry" | "exit" | null {
  if (answer === null) return null;
  const address = (/ sees (\S+)/.exec(answer)?.[1] ?? "").replace("::ffff:", "");
  if ([EXIT_SECOND_ADDRESS, EXIT_SECOND_ADDRESS_V6].includes(address)) return "exit";
  if ([HOST_SECOND_ADDRESS, "2001:db8:113::1"].includes(address)) return "entry";
  throw new Error(`a request came from ${address}`);
}
