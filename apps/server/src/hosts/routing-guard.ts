import { z } from "zod";
import { MOST_NAME } from "./answers.ts";
import { begun, type Machine, ProgramFailed, runForJson } from "./machine.ts";

/*
 * Keeps a tunnel shut while our firewall is missing, whatever removed it and whether or not the panel runs: a routing rule for
 * each tunnel drops every packet without a mark, and only the firewall sets the mark. It precedes the lookup of the machine's own
 * addresses, so nothing reaches the machine itself either.
 */

/** One bit, to leave others' marks alone. A packet has it only between the firewall's first hook and routing. */
export const PASS_MARK = 0x2000_0000;

/** The position of the kernel's own rule for the machine's addresses, and one right after it. */
const FIRST = 0;
const MEANWHILE = 1;

const RoutingRule = z.object({
  priority: z.number(),
  iif: z.string().max(MOST_NAME).optional(),
  src: z.string().max(50).optional(),
  fwmask: z.string().max(20).optional(),
  table: z.string().optional(),
  action: z.string().optional(),
});
type RoutingRule = z.output<typeof RoutingRule>;

const isOurs = (rule: RoutingRule) => Number(rule.fwmask) === PASS_MARK && rule.action === "blackhole";
const isLocal = (rule: RoutingRule) => rule.table === "local";

const readRules = (machine: Machine, family: "-4" | "-6") =>
  runForJson(machine, "ip", ["-j", family, "rule", "show"], z.array(RoutingRule));

/** The machine's routing rules; null for IPv6 if the kernel has none. */
export interface GuardSeen {
  v4: RoutingRule[];
  v6: RoutingRule[] | null;
}

export async function readGuard(machine: Machine): Promise<GuardSeen> {
  const v6 = begun(readRules(machine, "-6"));
  const [v4, ipv6] = await Promise.all([readRules(machine, "-4"), machine.identify("/proc/sys/net/ipv6")]);
  return { v4, v6: ipv6 === null ? null : await v6 };
}

/** Adds a rule for each of these tunnels, by family, up or not, and removes the rules of all others. */
export async function bringGuardTo(
  machine: Machine,
  tunnels: Record<"v4" | "v6", readonly string[]>,
  seen: GuardSeen,
): Promise<void> {
  await bringFamilyTo(machine, "-4", tunnels.v4, seen.v4);
  if (seen.v6 !== null) await bringFamilyTo(machine, "-6", tunnels.v6, seen.v6);
}

async function bringFamilyTo(
  machine: Machine,
  family: "-4" | "-6",
  tunnels: readonly string[],
  before: RoutingRule[],
): Promise<void> {
  // Marked as the kernel's: systemd-networkd removes unknown rules, but not the kernel's.
  const add = (rule: readonly string[]) => machine.run("ip", [family, "rule", "add", ...rule, "protocol", "kernel"]);
  const remove = (rule: readonly string[]) => machine.run("ip", [family, "rule", "del", ...rule]);
  const local = (priority: number) => ["pref", String(priority), "lookup", "local"];
  const guard = (name: string) => ["pref", String(FIRST), "iif", name, "fwmark", `0/${PASS_MARK}`, "blackhole"];

  const ours = before.filter(isOurs).map(({ iif = "" }) => iif);
  const unwanted = ours.filter((each) => !tunnels.includes(each));
  const missing = tunnels.filter((each) => !ours.includes(each));
  for (const name of unwanted) await remove(guard(name));
  for (const name of missing) await add(guard(name));

  // If two rules have the same priority the older wins, and the kernel's is the oldest: it is recreated after ours. Meanwhile a copy
  // follows right after, so that the machine is never without one.
  const rules = unwanted.length + missing.length > 0 ? await readRules(machine, family) : before;
  const lastOfOurs = rules.findLastIndex(isOurs);
  const isBehind = rules.findIndex(isLocal) < lastOfOurs;
  // Left behind if the panel ended in the middle of that.
  const leftOver = rules.some((rule) => isLocal(rule) && rule.priority === MEANWHILE);
  if (!isBehind && !leftOver) return;
  if (!leftOver) await add(local(MEANWHILE));
  if (isBehind) await remove(local(FIRST)).catch(unlessGone);
  if (isBehind || !rules.some((rule) => isLocal(rule) && rule.priority === FIRST)) await add(local(FIRST));
  await remove(local(MEANWHILE));
}

function unlessGone(error: unknown): void {
  if (!(error instanceof ProgramFailed && error.stderr.includes("No such file"))) throw error;
}
