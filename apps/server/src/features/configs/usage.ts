import type { Db, Tx } from "../../platform/database/database.ts";
import type { InterfaceUse } from "../interfaces/index.ts";
import type { Members } from "../members/index.ts";
import * as repository from "./repository.ts";

type Hidden = ReturnType<Members["vipIds"]>;

/** What the catalogue's entries and the interfaces carry. */
export function makeUsage({ members }: { members: Members }) {
  /** The same count without what VIP members have: they are few, so theirs is counted and taken away. */
  const seen =
    <Use extends Readonly<Record<keyof Use, number>>>(
      count: (over: Db | Tx, of: Hidden | null) => Promise<Map<string, Use>>,
    ) =>
    async (over: Db | Tx, withVip: boolean): Promise<Map<string, Use>> => {
      const uses = await count(over, null);
      if (withVip) return uses;
      for (const [id, hidden] of await count(over, members.vipIds(over))) {
        const use = uses.get(id);
        if (use !== undefined) uses.set(id, less(use, hidden));
      }
      return uses;
    };
  return {
    /** Asked before an entry is deleted: also by configs that were just deleted and can be brought back. */
    configsWithService: repository.countWithService,
    configsWithDns: repository.countWithDns,
    byService: seen(repository.usesOfServices),
    byDns: seen(repository.usesOfDns),
    toDownload: repository.countToDownload,
    phonesOver: repository.countPhonesOver,
    byInterface: seen<InterfaceUse>(repository.usesOfInterfaces),
    addressesOn: async (tx: Tx, interfaceId: string) => (await repository.addressesOn(tx, interfaceId)).length,
  };
}

const less = <Use extends Readonly<Record<keyof Use, number>>>(use: Use, hidden: Use): Use =>
  Object.fromEntries(
    Object.entries<number>(use).map(([name, count]) => [name, count - hidden[name as keyof Use]]),
  ) as Use;
