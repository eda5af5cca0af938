import { type Reason, reason } from "@krug/domain/reasons";
import type { Tunnel } from "./carrier.ts";
import type { Refusing } from "./host.ts";
import { type Machine, orElse } from "./machine.ts";
import { findRefusing } from "./refusing.ts";

/* Whether this machine forwards packets at all: the kernel's switches, and others' firewalls that drop them. */

const SWITCH_V4 = "/proc/sys/net/ipv4/ip_forward";
const SETTINGS_V4 = "/proc/sys/net/ipv4/conf";
const MARKS_V4 = `${SETTINGS_V4}/all/src_valid_mark`;
const SETTINGS_V6 = "/proc/sys/net/ipv6/conf";
const SWITCH_V6 = `${SETTINGS_V6}/all/forwarding`;

/** The kernel's switches: "0" or "1", null if the kernel has none. */
export interface Switches {
  v4: string | null;
  v6: string | null;
  marks: string | null;
}

export async function readSwitches(machine: Machine): Promise<Switches> {
  const [v4, v6, marks] = await Promise.all([SWITCH_V4, SWITCH_V6, MARKS_V4].map((path) => readSetting(machine, path)));
  return { v4: v4 ?? null, v6: v6 ?? null, marks: marks ?? null };
}

/** Turns forwarding on if it is off. A read-only system is reported by `whyNotForwarding`, not here. */
export async function turnForwardingOn(machine: Machine, families: { v6: boolean }, seen: Switches): Promise<void> {
  if (seen.v4 === "0") await machine.writeFile(SWITCH_V4, "1").catch(orElse(undefined));
  if (!families.v6 || seen.v6 !== "0") return;
  // A router takes no default route from router advertisements unless told to (accept_ra = 2), and would lose its own.
  for (const link of await machine.listFolder(SETTINGS_V6)) {
    const setting = `${SETTINGS_V6}/${link}/accept_ra`;
    if ((await readSetting(machine, setting)) === "1") await machine.writeFile(setting, "2").catch(orElse(undefined));
  }
  await machine.writeFile(SWITCH_V6, "1").catch(orElse(undefined));
}

/**
 * Makes the kernel use marks when it checks the return path of an answer (rp_filter): it checks as if the answer's receiver had
 * sent, and the tunnels' guard drops packets without a mark. False if that is needed and impossible.
 */
export async function respectMarks(machine: Machine, seen: Switches): Promise<boolean> {
  if (seen.marks !== "0") return true;
  await machine.writeFile(MARKS_V4, "1").catch(orElse(undefined));
  return !(await areMarksIgnored(machine));
}

async function areMarksIgnored(machine: Machine): Promise<boolean> {
  if ((await readSetting(machine, MARKS_V4)) !== "0") return false;
  const links = await machine.listFolder(SETTINGS_V4);
  const asked = await Promise.all(links.map((link) => readSetting(machine, `${SETTINGS_V4}/${link}/rp_filter`)));
  return asked.some((value) => value !== "0");
}

/**
 * Others' firewalls that refuse members' packets according to their rules; only passing traffic can disprove that. For the
 * operator.
 */
export const readRefusals = async (machine: Machine, tunnels: readonly Tunnel[]): Promise<Reason[]> =>
  (await findRefusing(machine, tunnels)).flatMap((refusing) => (refusing.isSure ? [reasonOf(refusing)] : []));

/** What in the machine's own settings keeps members' packets from leaving, for the operator. */
export async function whyNotForwarding(machine: Machine): Promise<Reason[]> {
  const reasons: Reason[] = [];
  if ((await readSetting(machine, SWITCH_V4)) === "0" && !(await machine.canWrite(SWITCH_V4))) {
    reasons.push(reason("lack.forwarding"));
  }
  if ((await areMarksIgnored(machine)) && !(await machine.canWrite(MARKS_V4))) {
    reasons.push(reason("lack.marks"));
  }
  return reasons;
}

export function reasonOf({ chain, rule, ways, opening }: Refusing): Reason {
  const way = ways.includes("out") ? "out" : "back";
  const how = { chain, opening: opening.replaceAll("\n", " && ") };
  return rule === null ? reason(`lack.policy_${way}`, how) : reason(`lack.rule_${way}`, { ...how, rule });
}

async function readSetting(machine: Machine, path: string): Promise<string | null> {
  return (await machine.readFile(path))?.trim() ?? null;
}
