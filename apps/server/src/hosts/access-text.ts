import type { AccessLists, DesiredAccess } from "./host.ts";
import { block, elementsOf, families, NFT, networkElements, setOf, sourceElements } from "./nft-sets.ts";

/**
 * The access rules as nft text, inside a table: sets of networks, a map from a device's address to its group, and the chain
 * `access_rules`, which returns what may pass and drops the rest. A packet costs a handful of look-ups, however many rules and
 * members there are.
 * @throws RangeError if something is not an address or network: nothing else may get into the text
 */
export function accessText({ everyone, groups }: DesiredAccess): string {
  const named = groups.map((group, place) => ({ ...group, name: `group_${place + 1}` }));
  return [
    ...sets("everyone", everyone),
    ...named.flatMap((group) => sets(group.name, group)),
    ...families.flatMap((family) => {
      const texts = named.flatMap(({ name, sources }) =>
        sourceElements(sources, family).map((address) => `${address} : goto ${name}`),
      );
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

const fates = ["allowed", "denied"] as const;

function sets(name: string, lists: AccessLists): string[] {
  return fates.flatMap((fate) =>
    families.flatMap((family) => {
      const networks = networkElements(lists[fate], family);
      return networks.length === 0 ? [] : setOf(`${name}_${fate}_v${family}`, family, networks, "interval");
    }),
  );
}

const verdicts = (name: string, fate: (typeof fates)[number], lists: AccessLists) =>
  families.flatMap((family) =>
    networkElements(lists[fate], family).length === 0
      ? []
      : [`${NFT[family].daddr} @${name}_${fate}_v${family} ${fate === "allowed" ? "return" : "drop"}`],
  );
