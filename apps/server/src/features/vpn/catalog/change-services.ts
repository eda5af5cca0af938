import { createHash, randomUUID } from "node:crypto";
import type { Language } from "@krug/contract/refusals";
import type { NewServiceInput, ServiceChangeInput } from "@krug/contract/vpn/catalog";
import { changedMeanwhile } from "../../../platform/changed-meanwhile.ts";
import { type Db, lockPlace, type Tx } from "../../../platform/database/database.ts";
import { refuse, refuseIf } from "../../../platform/refusal.ts";
import { checkDeviceTypes, checkGiven, requireGiven } from "./check-entry.ts";
import { catalogChanged } from "./events.ts";
import type { CatalogParts } from "./parts.ts";
import * as repository from "./repository.ts";
import type { ServiceRow } from "./table.ts";

/** Changes services, each change audited. A change of addresses records an event for the configs that contain them. */
export function makeServiceChanges(parts: CatalogParts) {
  const { transact, clock, events, audit, usage } = parts;
  const refuseTakenName = async (tx: Tx, name: string, ownId?: string) => {
    const bearer = await repository.idNamed(tx, "services", name);
    refuseIf(bearer === undefined || bearer === ownId ? null : "service.name_taken");
  };

  return {
    async add(actorId: string, wish: NewServiceInput, language: Language): Promise<ServiceRow> {
      const given = requireGiven(wish, language);
      return transact(async (tx) => {
        await lockPlace(tx, "services");
        await refuseTakenName(tx, wish.name);
        const fresh = {
          id: randomUUID(),
          name: wish.name,
          name_key: repository.nameKey(wish.name),
          ips: JSON.stringify(given.ips),
          device_types: JSON.stringify(checkDeviceTypes(wish.deviceTypes)),
          position: await repository.nextPosition(tx, "services"),
          created_at: clock.now().getTime(),
        };
        const row: ServiceRow = { ...fresh, all_but: given.typed?.all_but ?? null };
        await repository.insertService(parts, tx, fresh);
        await repository.keepTyped(tx, row.id, given.typed);
        await audit.record(tx, { actorId, action: "service.added", target: row.id, after: told(row) });
        return row;
      });
    },

    async change(actorId: string, id: string, wish: ServiceChangeInput, language: Language): Promise<ServiceRow> {
      const given = checkGiven(wish, language);
      const deviceTypes = wish.deviceTypes && JSON.stringify(checkDeviceTypes(wish.deviceTypes));
      return transact(async (tx) => {
        await lockPlace(tx, "services");
        const before = (await repository.lockService(tx, id)) ?? refuse("service.not_found");
        const fields = changedMeanwhile(
          { ...told(before), typed: (await typedAs(tx, before)).mark },
          wish,
          wish.expected,
        );
        if (fields.length > 0) refuse("service.changed_meanwhile", { fields });
        if (wish.name !== undefined) await refuseTakenName(tx, wish.name, id);
        const name = wish.name ?? before.name;
        const change = {
          name,
          name_key: repository.nameKey(name),
          ips: given ? JSON.stringify(given.ips) : before.ips,
          device_types: deviceTypes ?? before.device_types,
        };
        // A program that writes back what it read must not delete the comments.
        const isKept = given === undefined || (wish.typed === undefined && change.ips === before.ips);
        const after = { ...before, ...change, all_but: isKept ? before.all_but : (given.typed?.all_but ?? null) };
        await repository.updateService(parts, tx, id, change);
        if (!isKept) await repository.keepTyped(tx, id, given.typed);
        await audit.record(tx, {
          actorId,
          action: "service.changed",
          target: id,
          before: told(before),
          after: told(after),
        });
        if (after.ips !== before.ips) await events.record(tx, catalogChanged, { serviceId: id });
        return after;
      });
    },

    remove: (actorId: string, id: string): Promise<void> =>
      transact(async (tx) => {
        // From here no config can take the service: that needs the lock on its row.
        const row = (await repository.lockService(tx, id)) ?? refuse("service.not_found");
        const count = await usage.configsWithService(tx, id);
        if (count > 0) refuse("service.in_use", { count });
        await repository.remove(parts, tx, "services", id);
        await audit.record(tx, { actorId, action: "service.deleted", target: id, before: told(row) });
      }),
  };
}

/** The editor's initial text. */
export async function typedAs(
  db: Db | Tx,
  { id, ips }: ServiceRow,
): Promise<{ text: string; allBut: boolean; mark: string }> {
  const kept = await repository.typedOf(db, id);
  const text = kept?.typed ?? (JSON.parse(ips) as string[]).join(", ");
  const allBut = kept?.all_but === 1;
  return { text, allBut, mark: createHash("sha256").update(`${allBut}:${text}`).digest("base64url") };
}

const told = ({ name, ips, device_types, all_but }: ServiceRow) => ({
  name,
  ips: JSON.parse(ips) as unknown,
  allBut: all_but === 1,
  deviceTypes: JSON.parse(device_types) as unknown,
});
