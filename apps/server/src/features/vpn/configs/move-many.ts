import type { StayReason } from "@krug/contract/vpn/drain";
import type { Tx } from "../../../platform/database/database.ts";
import { Refusal } from "../../../platform/refusal.ts";
import type { Place } from "../interfaces/index.ts";
import * as addresses from "./addresses.ts";
import { preferredPlace } from "./choose-interface.ts";
import { configsChanged, configsMovedByStaff } from "./events.ts";
import { isOtherApp, makeMoves } from "./move-config.ts";
import type { ConfigParts } from "./parts.ts";
import * as repository from "./repository.ts";

interface Move {
  memberId: string;
  from: readonly string[];
  to: readonly Place[];
  /** As in `moveConfig`. */
  stayUntil?: number | undefined;
}

/** The result for a member's devices: how many moved, and why the others stay. */
export interface ManyMoved {
  moved: number;
  stayed: Partial<Record<StayReason, number>>;
}

const STAYS: Readonly<Record<string, StayReason>> = {
  "interface.full": "full",
  "config.still_there": "still_there",
  "config.secret_lost": "secret_lost",
};

/** Moves all devices of a member from some interfaces to those of others with the most room, and notifies the member once. */
export function makeMoveMany(parts: ConfigParts) {
  const { events, interfaces, members } = parts;
  const { lockToMove, moveByStaff } = makeMoves(parts);
  return {
    /** How many addresses are taken on each of these interfaces, by id; `moveMany` counts what it moves. */
    loadNow: addresses.load,

    async moveMany(
      tx: Tx,
      { memberId, from, to, stayUntil }: Move,
      load: Map<string, number>,
      actorId: string,
    ): Promise<ManyMoved> {
      const all: ManyMoved = { moved: 0, stayed: {} };
      const stay = (why: StayReason) => {
        all.stayed[why] = (all.stayed[why] ?? 0) + 1;
      };
      // The owner first, as in every change of configs.
      if ((await members.lock(tx, memberId)) === undefined) return all;
      const names: string[] = [];
      let until: number | null = null;
      let needsAmneziawg = false;
      const rows = await repository.onInterfacesOf(tx, memberId, from);
      const types = new Map((await interfaces.all(tx)).map((each) => [each.id, each.type]));
      for (const { id, interface_id } of rows) {
        const row = await lockToMove(tx, id);
        if (row === undefined || row.deleted_at !== null) continue;
        if (row.sealed_private_key === null) {
          stay("key_in_browser");
          continue;
        }
        const type = types.get(interface_id) ?? "wireguard";
        const place = preferredPlace(to, load, { type });
        if (place === null) {
          stay("full");
          continue;
        }
        try {
          const { config } = await moveByStaff(tx, row, place, actorId, stayUntil);
          names.push(config.name);
          needsAmneziawg ||= isOtherApp(type, place);
          if (config.moves_until !== null) until = Math.max(until ?? 0, config.moves_until);
          load.set(place.interface.id, (load.get(place.interface.id) ?? 0) + 1);
        } catch (error) {
          // A move makes all its refusals before its first write.
          const why = error instanceof Refusal ? STAYS[error.code] : undefined;
          if (why === undefined) throw error;
          stay(why);
        }
      }
      all.moved = names.length;
      if (names.length > 0) {
        await events.record(tx, configsMovedByStaff, { memberId, names, until, needsAmneziawg });
        await events.record(tx, configsChanged, { memberIds: [memberId] });
      }
      return all;
    },
  };
}
