import { randomUUID } from "node:crypto";
import type { Language } from "@krug/contract/refusals";
import type { DnsChangeInput, NewDnsInput } from "@krug/contract/vpn/catalog";
import { changedMeanwhile } from "../../../platform/changed-meanwhile.ts";
import { lockPlace, type Tx } from "../../../platform/database/database.ts";
import { refuse, refuseIf } from "../../../platform/refusal.ts";
import { checkAddresses } from "./check-entry.ts";
import { catalogChanged } from "./events.ts";
import type { CatalogParts } from "./parts.ts";
import * as repository from "./repository.ts";
import type { DnsRow } from "./table.ts";

/** Changes DNS entries, each change audited. A change of addresses records an event for the configs that contain them. */
export function makeDnsChanges(parts: CatalogParts) {
  const { transact, clock, events, audit, usage } = parts;
  const refuseTakenName = async (tx: Tx, name: string, ownId?: string) => {
    const bearer = await repository.idNamed(tx, "dns_entries", name);
    refuseIf(bearer === undefined || bearer === ownId ? null : "dns.name_taken");
  };

  return {
    async add(actorId: string, wish: NewDnsInput, language: Language): Promise<DnsRow> {
      const ips = checkAddresses(wish.ips, language);
      return transact(async (tx) => {
        await lockPlace(tx, "dns_entries");
        await refuseTakenName(tx, wish.name);
        const row: DnsRow = {
          id: randomUUID(),
          name: wish.name,
          name_key: repository.nameKey(wish.name),
          ips: JSON.stringify(ips),
          position: await repository.nextPosition(tx, "dns_entries"),
          created_at: clock.now().getTime(),
        };
        await repository.insertDns(parts, tx, row);
        await audit.record(tx, actorId, "dns.added", { target: row.id, after: told(row) });
        return row;
      });
    },

    async change(actorId: string, id: string, wish: DnsChangeInput, language: Language): Promise<DnsRow> {
      const ips = wish.ips && JSON.stringify(checkAddresses(wish.ips, language));
      return transact(async (tx) => {
        await lockPlace(tx, "dns_entries");
        const before = (await repository.lockDns(tx, id)) ?? refuse("dns.not_found");
        const fields = changedMeanwhile(told(before), wish, wish.expected);
        if (fields.length > 0) refuse("dns.changed_meanwhile", { fields });
        if (wish.name !== undefined) await refuseTakenName(tx, wish.name, id);
        const name = wish.name ?? before.name;
        const change = { name, name_key: repository.nameKey(name), ips: ips ?? before.ips };
        const after = { ...before, ...change };
        await repository.updateDns(parts, tx, id, change);
        await audit.record(tx, actorId, "dns.changed", { target: id, before: told(before), after: told(after) });
        if (after.ips !== before.ips) await events.record(tx, catalogChanged, { dnsId: id });
        return after;
      });
    },

    remove: (actorId: string, id: string): Promise<void> =>
      transact(async (tx) => {
        // From here no config can take the entry: that needs the lock on its row.
        const row = (await repository.lockDns(tx, id)) ?? refuse("dns.not_found");
        const count = await usage.configsWithDns(tx, id);
        if (count > 0) refuse("dns.in_use", { count });
        await repository.remove(parts, tx, "dns_entries", id);
        await audit.record(tx, actorId, "dns.deleted", { target: id, before: told(row) });
      }),
  };
}

const told = ({ name, ips }: DnsRow) => ({ name, ips: JSON.parse(ips) as unknown });
