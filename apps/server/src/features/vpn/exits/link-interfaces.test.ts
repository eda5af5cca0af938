import { cidrsOverlap } from "@krug/wireguard/addresses";
import { CLOSED_NETWORKS } from "@krug/wireguard/closed-networks";
import { readTunnelSubnet } from "@krug/wireguard/tunnel-subnet";
import { expect, test } from "vitest";
import type { Sealing } from "../../../platform/sealing.ts";
import { desiredSide, newLink } from "./link-interfaces.ts";
import type { LinkRow } from "./table.ts";

const unsealed = { open: (_: string, text: string) => text } as Sealing;
const draw = (links: readonly LinkRow[], exitId = "far", busy: number[] = []) =>
  newLink(
    (_, secret) => secret,
    0,
    { entryId: "near", exitId, address: "192.0.2.1", type: "wireguard" },
    {
      links,
      entry: null,
      exit: { udpPorts: busy, subnets: [], interfaceNames: [] },
    },
  );
const many = (count: number) => {
  const links: LinkRow[] = [];
  for (let made = 0; made < count; made++) {
    const link = draw(links, `far-${made}`);
    if (link !== null) links.push(link);
  }
  return links;
};

test("links share no number, network or port, and a club has room for 253", () => {
  const links = many(300);
  expect(links).toHaveLength(253);
  for (const of of ["number", "subnet", "subnet_v6", "entry_port"] as const)
    expect(new Set(links.map((link) => link[of])).size).toBe(253);
  expect(
    links.some((link, at) => links.some((other, place) => at < place && cidrsOverlap(link.subnet, other.subnet))),
  ).toBe(false);
});

test("no interface of members can have a link's network, and members reach none", () => {
  for (const { subnet, subnet_v6 } of many(5)) {
    expect(readTunnelSubnet(subnet)).toBeNull();
    for (const network of [subnet, subnet_v6])
      expect(CLOSED_NETWORKS.some(({ cidr }) => cidrsOverlap(cidr, network))).toBe(true);
  }
});

test("a port that the exit's machine uses is left alone", () => {
  expect(draw([], "far", [52_820, 52_821])?.exit_port).toBe(52_822);
});

test("either side knows the other, only the entry where it is, and both fit the smaller path", () => {
  const link = draw([]);
  if (link === null) throw new Error("no link");
  const [entry, exit] = (["entry", "exit"] as const).map((side) =>
    desiredSide(unsealed, link, side, { path: 1_400, hasV6: false }),
  );
  expect(entry).toMatchObject({ name: "exit2", addresses: ["198.18.0.10/30"], mtu: 1_320, isExit: true });
  expect(entry?.peers).toEqual([
    {
      publicKey: exit?.publicKey,
      presharedKey: null,
      allowedIps: ["0.0.0.0/0", "::/0"],
      endpoint: { host: "192.0.2.1", port: 52_820 },
      keepaliveS: 10,
    },
  ]);
  expect(exit).toMatchObject({ name: "entry2", addresses: ["198.18.0.9/30"], mtu: 1_320, listenPort: 52_820 });
  expect(exit?.peers).toEqual([
    { publicKey: entry?.publicKey, presharedKey: null, allowedIps: ["198.18.0.10/32"], keepaliveS: 10 },
  ]);
  expect(exit).not.toHaveProperty("isExit");
});
