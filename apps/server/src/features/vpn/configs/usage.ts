import type { Db, Tx } from "../../../platform/database/database.ts";
import type { Members } from "../../members/members/index.ts";
import { capacityOf, type Interfaces, type InterfaceUse } from "../interfaces/index.ts";
import type { ServerUse } from "../servers/index.ts";
import * as addresses from "./addresses.ts";
import * as repository from "./usage-repository.ts";

type Hidden = ReturnType<Members["vipIds"]>;

/** What catalogue entries, interfaces and servers carry. For their own features, which come before configs. */
export function makeUsage({ members, interfaces }: { members: Members; interfaces: Interfaces }) {
  /** The same count without VIP members' part: they are few, so theirs is counted and subtracted. */
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
  const byInterface = seen<InterfaceUse>(repository.usesOfInterfaces);
  return {
    /** For the deletion of an entry: configs that were just deleted and can be restored count too. */
    configsWithService: repository.countWithService,
    configsWithDns: repository.countWithDns,
    byService: seen(repository.usesOfServices),
    byDns: seen(repository.usesOfDns),
    toDownloadForDns: repository.countToDownload,
    phonesOver: async (over: Db, of: Omit<Parameters<typeof repository.countPhonesOver>[1], "exceptOn">) =>
      repository.countPhonesOver(over, { ...of, exceptOn: await interfaces.routedIds(over) }),
    byInterface,
    async byServer(over: Db | Tx, withVip: boolean): Promise<Map<string, ServerUse>> {
      const uses = await byInterface(over, withVip);
      const found = new Map<string, ServerUse>();
      for (const row of await interfaces.all(over)) {
        const of = found.get(row.server_id) ?? {
          interfaces: 0,
          configs: 0,
          onWire: 0,
          leaving: 0,
          capacity: 0,
          toDownload: 0,
        };
        const use = uses.get(row.id);
        found.set(row.server_id, {
          interfaces: of.interfaces + 1,
          configs: of.configs + (use?.configs ?? 0),
          onWire: of.onWire + (use?.onWire ?? 0),
          leaving: of.leaving + (use?.leaving ?? 0),
          capacity: of.capacity + capacityOf(row.subnet),
          toDownload: of.toDownload + (row.endpoint === null ? (use?.delivered ?? 0) : 0),
        });
      }
      return found;
    },
    addressesOn: addresses.countAddresses,
  };
}

const less = <Use extends Readonly<Record<keyof Use, number>>>(use: Use, hidden: Use): Use =>
  Object.fromEntries(
    Object.entries<number>(use).map(([name, count]) => [name, count - hidden[name as keyof Use]]),
  ) as Use;
