import { canonicalAddress, formatCidr, requireCidr } from "@krug/wireguard/addresses";
import type { AccessLists, DesiredAccess } from "./host.ts";

type Family = 4 | 6;
const NFT = { 4: { daddr: "ip daddr", saddr: "ip saddr" }, 6: { daddr: "ip6 daddr", saddr: "ip6 saddr" } };

/**
 * The access rules as nft text, inside a table: sets of networks, a map from a device's address to its group, and the chain
 * `access_rules`, which returns what may pass and drops the rest. A packet costs a handful of look-ups, however many rules and
 * members there are.
 * @throws RangeError if something is not an address or network: nothing else may get into the text
 */
export function accessText({ everyone, groups }: DesiredAccess): string {
  const named = groups.map((group, place) => ({ ...group, name: `group_${place + 1}` }));
  const sources = named.flatMap(({ name, sources }) =>
    sources.map((source) => ({ address: addressOf(source), verdict: `goto ${name}` })),
  );
  return [
    ...sets("everyone", everyone),
    ...named.flatMap((group) => sets(group.name, group)),
    ...families.flatMap((family) => {
      const elements = sources.filter(({ address }) => familyOf(address) === family);
      const texts = elements.map(({ address, verdict }) => `${address} : ${verdict}`);
      return block(`map members_v${family}`, [`type ipv${family}_addr : verdict`, ...elementsOf(texts)]);
    }),
    ...block("chain denied_to_everyone", verdicts("everyone", "denied", everyone)),
    ...named.flatMap((group) =>
      block(`chain ${group.name}`, [
        ...verdicts(group.name, "allowed", group),
        ...verdicts(group.name, "denied", group),
        "goto denied_to_everyone",
      ]),
    ),
    ...block("chain access_rules", [
      ...verdicts("everyone", "allowed", everyone),
      ...families.map((family) => `${NFT[family].saddr} vmap @members_v${family}`),
      "goto denied_to_everyone",
    ]),
  ]
    .map((line) => `  ${line}\n`)
    .join("");
}

const families: readonly Family[] = [4, 6];
const fates = ["allowed", "denied"] as const;

function sets(name: string, lists: AccessLists): string[] {
  return fates.flatMap((fate) =>
    families.flatMap((family) => {
      const networks = networksOf(lists[fate], family);
      if (networks.length === 0) return [];
      return block(`set ${name}_${fate}_v${family}`, [
        `type ipv${family}_addr`,
        "flags interval",
        ...elementsOf(networks),
      ]);
    }),
  );
}

const verdicts = (name: string, fate: (typeof fates)[number], lists: AccessLists) =>
  families.flatMap((family) =>
    networksOf(lists[fate], family).length === 0
      ? []
      : [`${NFT[family].daddr} @${name}_${fate}_v${family} ${fate === "allowed" ? "return" : "drop"}`],
  );

const block = (head: string, lines: readonly string[]) => [`${head} {`, ...lines.map((line) => `  ${line}`), "}"];

const elementsOf = (texts: readonly string[]) => (texts.length === 0 ? [] : [`elements = { ${texts.join(", ")} }`]);

const networksOf = (cidrs: readonly string[], family: Family) =>
  cidrs.flatMap((text) => {
    const cidr = requireCidr(text);
    return cidr.family === family ? [formatCidr(cidr)] : [];
  });

function addressOf(text: string): string {
  const address = canonicalAddress(text);
  if (address === null) throw new RangeError("a device's address is none");
  return address;
}

const familyOf = (address: string): Family => (address.includes(":") ? 6 : 4);
