import { z } from "zod";
import { MOST_NAME } from "./answers.ts";
import { EXIT_MASK, exitMark } from "./exit-text.ts";
import type { DesiredRouting, ExitLink } from "./host.ts";
import { type Machine, orElse, runForJson } from "./machine.ts";
import type { GuardSeen } from "./routing-guard.ts";

/*
 * Routes for exits through other servers: a table for each link, and a rule that sends the marked packets of each routed tunnel
 * there. A table ends in a blackhole, which is there before the rule: without the link nothing leaves.
 */

export type Exits = Pick<DesiredRouting, "interfaces" | "links">;

const FIRST_TABLE = 27_392;
const tableOf = (number: number) => FIRST_TABLE + number;
/** Between the machine's own addresses and everything else. */
const PRIORITY = 90;
/** Of the last resort, and of the way through the link. */
const METRICS = { blackhole: 4_096, link: 10 };

const FAMILIES = ["-4", "-6"] as const;
type Family = (typeof FAMILIES)[number];

const numberOf = ({ table }: { table?: string | undefined }) => Number(table) - FIRST_TABLE;
const isOurs = (rule: GuardSeen["v4"][number]) =>
  Number(rule.fwmask) === EXIT_MASK && rule.priority === PRIORITY && numberOf(rule) >= 2 && numberOf(rule) <= 254;

const rulesIn = (seen: GuardSeen, family: Family) => (family === "-4" ? seen.v4 : (seen.v6 ?? []));
const familiesOf = ({ v6 }: GuardSeen) => FAMILIES.filter((family) => family === "-4" || v6 !== null);

const Routes = z.array(
  z.object({ type: z.string().optional(), dst: z.string().optional(), dev: z.string().max(MOST_NAME).optional() }),
);
/** A table that does not exist has no routes. */
const readRoutes = (machine: Machine, family: Family, number: number) =>
  runForJson(machine, "ip", ["-j", family, "route", "show", "table", String(tableOf(number))], Routes).catch(
    orElse([]),
  );

/** Numbers are decimal: servers' helpers take them only so. */
const ruleArgs = (tunnel: string, number: number) => [
  ...["pref", String(PRIORITY), "iif", tunnel],
  ...["fwmark", `${exitMark(number)}/${EXIT_MASK}`, "lookup", String(tableOf(number))],
];

/** For what the machine itself sends by a link: questions for names, and echoes. */
const ownArgs = (address: string, number: number) => [
  ...["pref", String(PRIORITY), "from", address, "lookup", String(tableOf(number))],
];
const isOwn = (rule: GuardSeen["v4"][number]) =>
  rule.priority === PRIORITY &&
  rule.iif === undefined &&
  (rule.src ?? "all") !== "all" &&
  numberOf(rule) >= 2 &&
  numberOf(rule) <= 254;
const addressesIn = ({ addresses }: ExitLink, family: Family) =>
  addresses.filter((address) => address.includes(":") === (family === "-6"));

/** Before the firewall marks anything. Marked as the kernel's, which systemd-networkd leaves alone. */
export async function prepareExits(
  machine: Machine,
  { interfaces, links = [] }: Exits,
  seen: GuardSeen,
): Promise<void> {
  for (const family of familiesOf(seen))
    for (const link of links) {
      const { number } = link;
      const has = rulesIn(seen, family).filter((rule) => isOurs(rule) && numberOf(rule) === number);
      const missing = interfaces.filter((tunnel) => !has.some(({ iif }) => iif === tunnel));
      const routes = await readRoutes(machine, family, number);
      if (!routes.some(({ type }) => type === "blackhole"))
        await machine.run("ip", [
          ...[family, "route", "replace", "blackhole", "default", "table", String(tableOf(number))],
          ...["metric", String(METRICS.blackhole), "protocol", "kernel"],
        ]);
      for (const address of addressesIn(link, family))
        if (!rulesIn(seen, family).some((rule) => isOwn(rule) && rule.src === address && numberOf(rule) === number))
          await machine.run("ip", [family, "rule", "add", ...ownArgs(address, number), "protocol", "kernel"]);
      for (const tunnel of missing)
        await machine.run("ip", [family, "rule", "add", ...ruleArgs(tunnel, number), "protocol", "kernel"]);
    }
}

/** Once the links are up. */
export async function routeExits(machine: Machine, links: readonly ExitLink[], seen: GuardSeen): Promise<void> {
  for (const family of familiesOf(seen))
    for (const { number, name } of links) {
      const routes = await readRoutes(machine, family, number);
      if (routes.some(({ dev, type = "unicast" }) => dev === name && type === "unicast")) continue;
      await machine.run("ip", [
        ...[family, "route", "replace", "default", "dev", name, "table", String(tableOf(number))],
        ...["metric", String(METRICS.link), "protocol", "kernel"],
      ]);
    }
}

/** Removes the rules and tables of all others, once nothing is marked for them. */
export async function forgetExits(machine: Machine, { interfaces, links = [] }: Exits, seen: GuardSeen): Promise<void> {
  const numbers = new Set(links.map(({ number }) => number));
  for (const family of familiesOf(seen)) {
    const ours = rulesIn(seen, family).filter(isOurs);
    for (const rule of ours)
      if (!numbers.has(numberOf(rule)) || !interfaces.includes(rule.iif ?? ""))
        await machine.run("ip", [family, "rule", "del", ...ruleArgs(rule.iif ?? "", numberOf(rule))]);
    const own = rulesIn(seen, family).filter((rule) => !isOurs(rule) && isOwn(rule));
    for (const rule of own)
      if (!links.some((link) => link.number === numberOf(rule) && link.addresses.includes(rule.src ?? "")))
        await machine.run("ip", [family, "rule", "del", ...ownArgs(rule.src ?? "", numberOf(rule))]);
    for (const number of new Set([...ours, ...own].map(numberOf)))
      if (!numbers.has(number))
        await machine.run("ip", [family, "route", "flush", "table", String(tableOf(number))]).catch(orElse(""));
  }
}
