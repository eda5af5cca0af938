import { createHash, randomUUID } from "node:crypto";
import type { Language } from "@krug/contract/refusals";
import type { NewServiceInput, ServiceChangeInput } from "@krug/contract/vpn/catalog";
import type { Exit } from "@krug/domain/routing-rules";
import { isDomain, shownSource } from "@krug/wireguard/list-source";
import { changedMeanwhile } from "../../../platform/changed-meanwhile.ts";
import { type Db, lockPlace, type Tx } from "../../../platform/database/database.ts";
import { refuse, refuseIf } from "../../../platform/refusal.ts";
import { LISTS_PLACE } from "../sources/index.ts";
import {
  checkDeviceTypes,
  checkGiven,
  checkNetworks,
  checkSources,
  refuseIpsBesideSources,
  refuseNothingGiven,
  textOf,
} from "./check-entry.ts";
import { compositionOf } from "./composition.ts";
import { catalogChanged, exitChanged, namesChanged, serviceAdded, serviceChange } from "./events.ts";
import type { CatalogParts } from "./parts.ts";
import * as repository from "./repository.ts";
import type { ServiceRow } from "./table.ts";

/** Of a feature above this one. */
export interface ExitCheck {
  /** @throws Refusal if nothing can leave there */
  refuseUnfit(exit: Exit | undefined): Promise<void>;
  /** As the audit keeps it. */
  nameOf(over: Db | Tx, exit: Exit): Promise<string>;
}

/** Changes services, each change audited. A change of addresses records an event for the configs that contain them. */
export function makeServiceChanges(parts: CatalogParts & { exits: ExitCheck }) {
  const { transact, clock, events, audit, usage, sources, exits } = parts;
  const refuseTakenName = async (tx: Tx, name: string, ownId?: string) => {
    const bearer = await repository.idNamed(tx, "services", name);
    refuseIf(bearer === undefined || bearer === ownId ? null : "service.name_taken");
  };
  /** Looked up before the transaction: nothing on the network is awaited inside. */
  const prepared = async (
    wish: { sources?: readonly string[] | undefined; exit?: Exit | undefined },
    language: Language,
  ) => {
    await exits.refuseUnfit(wish.exit);
    const keys = wish.sources && checkSources(wish.sources, language);
    if (keys) await sources.prepare(keys);
    return keys;
  };

  const told = async (tx: Tx, row: ServiceRow, keys: readonly string[]) => ({
    ...shown(row, keys),
    exit: await exits.nameOf(tx, row.exit),
  });

  return {
    async add(actorId: string, wish: NewServiceInput, language: Language): Promise<ServiceRow> {
      const sent = checkGiven(wish, language);
      const keys = (await prepared(wish, language)) ?? [];
      const given = sent ?? (keys.length > 0 ? { own: [], typed: "", allBut: false } : refuseNothingGiven(language));
      return transact(async (tx) => {
        await lockPlace(tx, LISTS_PLACE);
        await refuseTakenName(tx, wish.name);
        const found = await sources.networksOf(tx, keys);
        const ips = checkNetworks(given, found, language);
        const text = textOf(given, ips, keys.length > 0);
        const fresh = {
          id: randomUUID(),
          name: wish.name,
          name_key: repository.nameKey(wish.name),
          ips: JSON.stringify(ips),
          device_types: JSON.stringify(checkDeviceTypes(wish.deviceTypes)),
          picture: wish.picture ?? "",
          description: wish.description ?? "",
          group_name: wish.group ?? "other",
          exit: wish.exit ?? ("direct" as const),
          position: await repository.nextPosition(tx, "services"),
          created_at: clock.now().getTime(),
        };
        const row: ServiceRow = { ...fresh, all_but: text?.all_but ?? null };
        await repository.insertService(parts, tx, fresh);
        await repository.keepTyped(tx, row.id, text);
        await sources.setUses(tx, row.id, keys);
        await audit.record(tx, actorId, "service.added", { target: row.id, after: await told(tx, row, keys) });
        await events.record(tx, serviceAdded, {
          ...{ serviceId: row.id, name: row.name },
          ticketId: wish.ticketId ?? null,
        });
        return row;
      });
    },

    async change(actorId: string, id: string, wish: ServiceChangeInput, language: Language): Promise<ServiceRow> {
      const sent = checkGiven(wish, language);
      const keysSent = await prepared(wish, language);
      const deviceTypes = wish.deviceTypes && JSON.stringify(checkDeviceTypes(wish.deviceTypes));
      return transact(async (tx) => {
        await lockPlace(tx, LISTS_PLACE);
        const before = (await repository.lockService(tx, id)) ?? refuse("service.not_found");
        const { given, keys: keysBefore } = await compositionOf(parts, tx, before);
        const { mark } = await typedAs(tx, before, []);
        const now = { ...shown(before, []), typed: mark, sources: keysBefore };
        const fields = changedMeanwhile(now, wish, wish.expected);
        if (fields.length > 0) refuse("service.changed_meanwhile", { fields });
        if (wish.name !== undefined) await refuseTakenName(tx, wish.name, id);
        const keys = keysSent ?? keysBefore;
        // A program that writes back what it read must not delete the comments.
        const isWrittenBack = sent?.typed === null && JSON.stringify(sent.own) === before.ips;
        if (sent?.typed === null && !isWrittenBack && keysSent === undefined && keys.length > 0)
          refuseIpsBesideSources(language);
        const isKept = keysSent === undefined && (sent === undefined || isWrittenBack);
        const after = isWrittenBack ? given : (sent ?? given);
        const ips = isKept ? null : checkNetworks(after, await sources.networksOf(tx, keys), language);
        const text = ips && textOf(after, ips, keys.length > 0);
        const name = wish.name ?? before.name;
        const change = {
          name,
          name_key: repository.nameKey(name),
          ips: ips ? JSON.stringify(ips) : before.ips,
          device_types: deviceTypes ?? before.device_types,
          picture: wish.picture ?? before.picture,
          description: wish.description ?? before.description,
          group_name: wish.group ?? before.group_name,
          exit: wish.exit ?? before.exit,
        };
        const row = { ...before, ...change, all_but: ips ? (text?.all_but ?? null) : before.all_but };
        await repository.updateService(parts, tx, id, change);
        if (ips) await repository.keepTyped(tx, id, text);
        if (keysSent) await sources.setUses(tx, id, keys);
        await audit.record(tx, actorId, "service.changed", {
          target: id,
          before: await told(tx, before, keysBefore),
          after: await told(tx, row, keys),
        });
        if (row.ips !== before.ips) await events.record(tx, catalogChanged, serviceChange(before, row));
        if (String(keys.filter(isDomain)) !== String(keysBefore.filter(isDomain)) || row.all_but !== before.all_but)
          await events.record(tx, namesChanged, { serviceId: id });
        if (row.exit !== before.exit) await events.record(tx, exitChanged, { serviceId: id });
        return row;
      });
    },

    remove: (actorId: string, id: string): Promise<void> =>
      transact(async (tx) => {
        // From here no config can take the service: that needs the lock on its row.
        const row = (await repository.lockService(tx, id)) ?? refuse("service.not_found");
        const count = await usage.configsWithService(tx, id);
        if (count > 0) refuse("service.in_use", { count });
        const before = await told(tx, row, (await sources.ofService(tx, id)).keys);
        await repository.remove(parts, tx, "services", id);
        await audit.record(tx, actorId, "service.deleted", { target: id, before });
      }),
  };
}

/** The editor's initial text. */
export async function typedAs(
  db: Db | Tx,
  { id, ips }: ServiceRow,
  sources: string[],
): Promise<{ text: string; allBut: boolean; sources: string[]; mark: string }> {
  const kept = await repository.typedOf(db, id);
  const text = kept?.typed ?? (JSON.parse(ips) as string[]).join(", ");
  const allBut = kept?.all_but === 1;
  return { text, allBut, sources, mark: createHash("sha256").update(`${allBut}:${text}`).digest("base64url") };
}

const shown = ({ name, ips, device_types, all_but, ...row }: ServiceRow, sources: readonly string[]) => ({
  name,
  ips: JSON.parse(ips) as unknown,
  allBut: all_but === 1,
  sources: sources.map(shownSource),
  deviceTypes: JSON.parse(device_types) as unknown,
  picture: row.picture,
  description: row.description,
  group: row.group_name,
  exit: row.exit,
});
