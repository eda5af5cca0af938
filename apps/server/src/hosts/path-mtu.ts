import { z } from "zod";
import { IpAddress, MOST_NAME } from "./answers.ts";
import { isInterfaceName, readLinks } from "./links.ts";
import { type Machine, orElse, runForJson } from "./machine.ts";

const Routes = z.array(
  z.object({
    dev: z.string().max(MOST_NAME).optional(),
    gateway: IpAddress.optional(),
    metrics: z.array(z.object({ mtu: z.int().positive().optional() })).optional(),
  }),
);

/** Any internet address will do; `headers` is the size of an echo's headers. */
const FAMILIES = {
  4: { destination: "1.1.1.1", headers: 28 },
  6: { destination: "2606:4700:4700::1111", headers: 48 },
} as const;
type Family = keyof typeof FAMILIES;

/** An Ethernet frame's; nothing larger passes the internet. IPv6's minimum passes everywhere. */
const MOST = 1_500;
const LEAST = 1_280;

/**
 * The largest packet, in bytes, that leaves the machine towards the internet without fragmentation: limited by its link and
 * route, and by what reaches the next router and comes back, if it answers. Null without a route.
 */
export async function measurePath(machine: Machine): Promise<number | null> {
  const links = await readLinks(machine);
  const ways = await Promise.all(
    ([4, 6] as const).map(async (family) => {
      // Nothing is sent there: the kernel only reports which route a packet would take.
      const args = ["-j", "route", "get", FAMILIES[family].destination];
      const [route] = await runForJson(machine, "ip", args, Routes).catch(orElse([]));
      if (route?.dev === undefined) return null;
      const told = [links.get(route.dev)?.mtu, ...(route.metrics ?? []).map(({ mtu }) => mtu)].filter((mtu) => !!mtu);
      const most = Math.min(MOST, ...(told as number[]));
      return route.gateway === undefined ? most : probe(machine, family, route.dev, route.gateway, most);
    }),
  );
  const known = ways.filter((way) => way !== null);
  return known.length === 0 ? null : Math.min(...known);
}

/** The largest unfragmented echo that the gateway answers; `most` if it answers none. */
async function probe(machine: Machine, family: Family, device: string, gateway: string, most: number): Promise<number> {
  const { headers } = FAMILIES[family];
  if (!isInterfaceName(device) || most <= LEAST) return most;
  const passes = (bytes: number) =>
    machine
      .run("ping", [
        ..."-n -q -c 2 -i 0.2 -W 1 -I".split(" "),
        device,
        "-M",
        "do",
        "-s",
        String(bytes - headers),
        gateway,
      ])
      .then(() => true)
      .catch(orElse(false));
  const [isWhole, isAnswered] = await Promise.all([passes(most), passes(LEAST)]);
  if (isWhole || !isAnswered) return most;
  let [passing, stuck] = [LEAST, most];
  while (stuck - passing > 1) {
    const middle = Math.floor((passing + stuck) / 2);
    if (await passes(middle)) passing = middle;
    else stuck = middle;
  }
  // A busy network may have lost some, not because of their size.
  return (await passes(most)) ? most : passing;
}

/** The same from world-readable kernel data: the MTU of the links that lead to the internet. */
export async function readPathMtu(machine: Machine, devices: readonly string[]): Promise<number | null> {
  const texts = await Promise.all(
    devices.filter(isInterfaceName).map((device) => machine.readFile(`/sys/class/net/${device}/mtu`)),
  );
  const found = texts.map((text) => Number(text ?? Number.NaN)).filter((mtu) => mtu > 0);
  return found.length === 0 ? null : Math.min(MOST, ...found);
}
