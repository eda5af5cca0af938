import { canonicalAddress, formatCidr, requireCidr } from "@krug/wireguard/addresses";

export type Family = 4 | 6;
export const families: readonly Family[] = [4, 6];
export const NFT = { 4: { daddr: "ip daddr", saddr: "ip saddr" }, 6: { daddr: "ip6 daddr", saddr: "ip6 saddr" } };

/** The panel's own. */
export const NFT_TABLE = "inet krug";

export const block = (head: string, lines: readonly string[]) => [
  `${head} {`,
  ...lines.map((line) => `  ${line}`),
  "}",
];

export const elementsOf = (texts: readonly string[]) =>
  texts.length === 0 ? [] : [`elements = { ${texts.join(", ")} }`];

/** A set of addresses, or of networks: of those none may be inside another. */
export const setOf = (name: string, family: Family, elements: readonly string[], flags?: "interval") =>
  block(`set ${name}`, [`type ipv${family}_addr`, ...(flags ? [`flags ${flags}`] : []), ...elementsOf(elements)]);

/** Those of a family. @throws RangeError */
export const networkElements = (cidrs: readonly string[], family: Family) =>
  ofFamily(cidrs, family).map((text) => formatCidr(requireCidr(text)));

/** Devices' addresses of a family. @throws RangeError */
export const sourceElements = (addresses: readonly string[], family: Family) =>
  ofFamily(addresses, family).map((text) => {
    const address = canonicalAddress(text);
    if (address === null) throw new RangeError("a device's address is none");
    return address;
  });

const ofFamily = (texts: readonly string[], family: Family) =>
  texts.filter((text) => text.includes(":") === (family === 6));
