import { createHash } from "node:crypto";
import type { Reason } from "@krug/domain/reasons";
import type { SpeedLimit } from "./host.ts";
import { readLinksOfType } from "./links.ts";
import { type Machine, type MachineFailure, orElse, ProgramFailed } from "./machine.ts";

/*
 * Members' speed limits (ADR 197). A tunnel's limited packets make a detour through one device of the panel's, in both directions:
 * nftables looks up their class by the device's address and sends them there, HTB holds them back, and the device returns them
 * to where they were. All other packets cost one lookup. A packet without its class passes unlimited.
 */

export const SPEED_DEVICE = "krug-speed";
const DEVICE = SPEED_DEVICE;
const MAJOR = 0x6b72;
/** Classes come in pairs: to the device, and from it. */
const MOST_LIMITS = 32_000;
const TABLE = ["table", "netdev", "krug_speed"];

const hex = (number: number) => number.toString(16);
const classOf = (minor: number) => `${hex(MAJOR)}:${hex(minor)}`;

/** Classes' minor numbers with their speeds, and devices' addresses with the first of their two classes. */
interface Classes {
  speeds: Map<number, number>;
  addresses: Map<string, number>;
}

/** Each limit's place depends on its key, so that another member's limit moves none but those of a collision. */
export function classesOf(limits: readonly SpeedLimit[]): Classes {
  const speeds = new Map<number, number>();
  const addresses = new Map<string, number>();
  for (const { key, mbit, sources } of [...limits].sort((a, b) => (a.key < b.key ? -1 : 1)).slice(0, MOST_LIMITS - 1)) {
    let place = createHash("sha256").update(key).digest().readUInt32BE() % MOST_LIMITS;
    // The queue of a class has its number, and one is the whole tree's.
    const minor = () => 2 * (place + 1);
    while (speeds.has(minor()) || minor() === MAJOR) place = (place + 1) % MOST_LIMITS;
    speeds.set(minor(), mbit).set(minor() + 1, mbit);
    for (const address of sources) if (!addresses.has(address)) addresses.set(address, minor());
  }
  return { speeds, addresses };
}

/** A tenth of a second of it, and no less than two of the largest packets. */
const queueBytes = (mbit: number) => Math.max((mbit * 1_000_000) / 80, 2 * 65_536);
/** What may leave at once, or a fast limit would need a timer for every packet. */
const burstBytes = (mbit: number) => Math.max(mbit * 250, 3_000);

const setClass = (minor: number, mbit: number) => [
  `class replace dev ${DEVICE} parent ${hex(MAJOR)}: classid ${classOf(minor)} htb rate ${mbit}mbit ceil ${mbit}mbit burst ${burstBytes(mbit)} cburst ${burstBytes(mbit)} quantum 3000`,
  `qdisc replace dev ${DEVICE} parent ${classOf(minor)} handle ${hex(minor)}: bfifo limit ${queueBytes(mbit)}`,
];
const removeClass = (minor: number) => `class delete dev ${DEVICE} classid ${classOf(minor)}`;

const UNITS: Record<string, number> = { "": 1e-6, K: 1e-3, M: 1, G: 1e3, T: 1e6 };
const CLASS = /^class htb 6b72:([0-9a-f]+) root leaf ([0-9a-f]+): .*? rate (\d+)([KMGT]?)bit ceil (\d+)([KMGT]?)bit /;
const ROOT = /^qdisc htb 6b72: root /m;
const ANY_CLASS = /^class \S+ ([0-9a-f]+):([0-9a-f]+) /;

/** As `tc class show` lists them: each class's speed in Mbit/s, null for one that is not as ours are. */
export function classesIn(listed: string): Map<number, number | null> {
  const found = new Map<number, number | null>();
  for (const line of listed.split("\n")) {
    const any = ANY_CLASS.exec(line);
    if (any?.[1] !== hex(MAJOR)) continue;
    const [, minor = "", leaf, rate, unit = "", ceil, ceilUnit = ""] = CLASS.exec(line) ?? [];
    const mbit = Number(rate) * (UNITS[unit] ?? 0);
    const isOurs = minor !== "" && minor === leaf && mbit === Number(ceil) * (UNITS[ceilUnit] ?? 0);
    found.set(Number.parseInt(any[2] ?? "", 16), isOurs ? mbit : null);
  }
  return found;
}

const elements = (addresses: Classes["addresses"], family: 4 | 6, toFirst: 0 | 1): string => {
  const own = [...addresses].filter(([address]) => address.includes(":") === (family === 6));
  const listed = own.map(([address, minor]) => `${address} : ${classOf(minor + toFirst)}`).join(", ");
  return `  map ${toFirst === 0 ? "to" : "from"}_v${family} {\n    type ipv${family}_addr : classid\n${listed === "" ? "" : `    elements = { ${listed} }\n`}  }\n`;
};

/** The complete table as nft text. */
export function speedTable(tunnels: readonly string[], { addresses }: Classes): string {
  const devices = `{ ${tunnels.map((name) => `"${name}"`).join(", ")} }`;
  const chain = (name: "to" | "from", hook: string, side: string) => `  chain ${name}_devices {
    type filter hook ${hook} devices = ${devices} priority 0; policy accept;
    meta protocol ip meta priority set ip ${side} map @${name}_v4 fwd to "${DEVICE}"
    meta protocol ip6 meta priority set ip6 ${side} map @${name}_v6 fwd to "${DEVICE}"
  }
`;
  const maps = ([4, 6] as const).flatMap((family) =>
    ([0, 1] as const).map((side) => elements(addresses, family, side)),
  );
  return `${TABLE.join(" ")} {\n${maps.join("")}${chain("from", "ingress", "saddr")}${chain("to", "egress", "daddr")}}\n`;
}

const isNothing = (error: unknown) =>
  error instanceof ProgramFailed && error.stderr.includes("No such file or directory");

export interface SpeedWish {
  /** Names of the tunnels that are up. */
  tunnels: readonly string[];
  limits: readonly SpeedLimit[];
}

const readDevice = async (machine: Machine) =>
  (await readLinksOfType(machine, "ifb")).find(({ name }) => name === DEVICE);
const listTable = (machine: Machine): Promise<string | null> =>
  machine.run("nft", ["list", ...TABLE]).catch((error: unknown) => {
    if (isNothing(error)) return null;
    throw error;
  });
/** In both directions and families; each is used by one of the table's rules. */
const MAPS = ["to_v4", "to_v6", "from_v4", "from_v6"];
const readClasses = async (machine: Machine) => classesIn(await machine.run("tc", ["class", "show", "dev", DEVICE]));

/**
 * How many of these limits the machine does not hold: their classes are missing or different, or the table does not lead their
 * devices there.
 * @throws MachineFailure if the machine did not answer
 */
export async function lackingSpeeds(machine: Machine, limits: readonly SpeedLimit[]): Promise<number> {
  if (limits.length === 0) return 0;
  try {
    if (!(await readDevice(machine))?.isUp) return limits.length;
    const { speeds, addresses } = classesOf(limits);
    const found = await readClasses(machine);
    const listed = new Set((await listTable(machine))?.split(/[\s,{}]+/));
    const isHeld = (address: string) => {
      const minor = addresses.get(address) ?? 0;
      return listed.has(address) && [minor, minor + 1].every((each) => found.get(each) === speeds.get(each));
    };
    if (!MAPS.every((name) => listed.has(`@${name}`))) return limits.length;
    return limits.filter(({ sources }) => !sources.every(isHeld)).length;
  } catch (error) {
    orElse(undefined)(error);
    return limits.length;
  }
}

/** Brings a machine's speed limits to the wish, and changes only what differs. */
export function makeSpeedLimits() {
  // What was loaded last and how nft listed it then; undefined before the first time.
  let loaded: { text: string; listed: string } | null | undefined;

  const removeTable = async (machine: Machine) => {
    if ((await listTable(machine)) !== null)
      await machine.run("nft", ["-f", "-"], { stdin: `delete ${TABLE.join(" ")}\n` });
  };
  /** The table first: without the device it would drop what it sends there. */
  const remove = async (machine: Machine, isThere: boolean) => {
    await removeTable(machine);
    if (isThere && (await readDevice(machine)) !== undefined)
      await machine.run("ip", ["link", "delete", "dev", DEVICE]);
    loaded = null;
  };

  const bringDevice = async (machine: Machine) => {
    const device = await readDevice(machine);
    if (device === undefined) await machine.run("ip", ["link", "add", "dev", DEVICE, "type", "ifb"]);
    if (!device?.isUp) await machine.run("ip", ["link", "set", "dev", DEVICE, "up"]);
  };
  const batch = async (machine: Machine, commands: readonly string[]) => {
    if (commands.length > 0) await machine.run("tc", ["-batch", "-"], { stdin: `${commands.join("\n")}\n` });
  };
  const bring = async (machine: Machine, { tunnels, limits }: SpeedWish) => {
    const wanted = classesOf(limits);
    await bringDevice(machine);
    const found = await readClasses(machine);
    const hasRoot = found.size > 0 || ROOT.test(await machine.run("tc", ["qdisc", "show", "dev", DEVICE]));
    const root = hasRoot ? [] : [`qdisc replace dev ${DEVICE} root handle ${hex(MAJOR)}: htb`];
    const differing = [...wanted.speeds].filter(([minor, mbit]) => found.get(minor) !== mbit);
    await batch(machine, [...root, ...differing.flatMap(([minor, mbit]) => setClass(minor, mbit))]);
    const text = speedTable(tunnels, wanted);
    const seen = await listTable(machine);
    if (loaded?.text !== text || loaded.listed !== seen) {
      const over = seen === null ? "" : `delete ${TABLE.join(" ")}\n`;
      await machine.run("nft", ["-f", "-"], { stdin: `${over}${text}` });
      loaded = { text, listed: (await listTable(machine)) ?? "" };
    }
    // After the table, which may still have named them.
    await batch(machine, [...found.keys()].filter((minor) => !wanted.speeds.has(minor)).map(removeClass));
  };

  return {
    /**
     * Returns why nobody is limited, or null. `isThere`: false if the machine is known not to have the device.
     * @throws MachineFailure if the machine did not answer
     */
    async bringTo(machine: Machine, wish: SpeedWish, isThere = true): Promise<Reason | null> {
      if (wish.limits.length === 0 || wish.tunnels.length === 0) {
        if (isThere || loaded !== null) await remove(machine, isThere).catch(orElse(undefined));
        return null;
      }
      try {
        await bring(machine, wish);
        return null;
      } catch (error) {
        loaded = undefined;
        orElse(undefined)(error);
        // Members must not wait at a device that does not work.
        await removeTable(machine).catch(orElse(undefined));
        return (error as MachineFailure).why;
      }
    },
  };
}
