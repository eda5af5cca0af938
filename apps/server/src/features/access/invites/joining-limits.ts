import {
  JOINING_COUNTED_MS,
  joiningWait,
  TAKEN_NAMES_PER_ADDRESS,
  TAKEN_NAMES_PER_CODE,
} from "@krug/domain/joining-limits";
import { HOUR_MS } from "@krug/domain/moment";
import type { Db, Tx } from "../../../platform/database/database.ts";
import type { ClientAddress } from "../../../platform/http/client-address.ts";
import { refuse } from "../../../platform/refusal.ts";
import { addressGroup } from "../auth/index.ts";
import { joiningLimited } from "./events.ts";
import type { InviteParts } from "./parts.ts";
import * as repository from "./repository.ts";
import type { JoiningCountRow } from "./table.ts";

type What = Exclude<JoiningCountRow["what"], "wrong_code">;

/**
 * How many members may join from one address and by one code in a day, and how many taken names they may try: a leaked code must
 * neither fill an interface nor reveal who is a member. Counted in the database, so panels that share it count together.
 */
export function makeJoiningLimits({ transact, clock, settings, sealing, events, log }: InviteParts) {
  /** The address first, so that everyone who counts both locks the rows in one order. */
  const boundsOf = async (over: Db | Tx, address: ClientAddress, codeId: string) => {
    const { joinsPerAddressPerDay, joinsPerCodePerDay } = await settings.read(over);
    return [
      {
        by: "address",
        subject: sealing.hash("joining-address", addressGroup(address)),
        most: { joined: joinsPerAddressPerDay, name_taken: TAKEN_NAMES_PER_ADDRESS },
      },
      {
        by: "code",
        subject: `code:${codeId}`,
        most: { joined: joinsPerCodePerDay, name_taken: TAKEN_NAMES_PER_CODE },
      },
    ] as const;
  };

  const refuseReached = (what: What, by: "address" | "code", waitMs: number) =>
    refuse(what === "name_taken" ? "joining.names_limit" : `joining.${by}_limit`, {
      seconds: Math.ceil(waitMs / 1000),
      hours: Math.ceil(waitMs / HOUR_MS),
    });

  return {
    /** Refuses if either has reached today's limit, before anything costly is done. */
    async refuseReached(db: Db, address: ClientAddress, codeId: string): Promise<void> {
      const bounds = await boundsOf(db, address, codeId);
      const counts = await repository.joiningCounts(
        db,
        bounds.map(({ subject }) => subject),
      );
      for (const { by, subject, most } of bounds)
        for (const what of ["joined", "name_taken"] as const) {
          const count = counts.find((row) => row.subject === subject && row.what === what);
          const waitMs = joiningWait(count, most[what], clock.now());
          if (waitMs > 0) refuseReached(what, by, waitMs);
        }
    },

    /** Counts it for both, or refuses it and so undoes what `tx` wrote; their rows stay locked until `tx` ends. */
    async count(tx: Tx, what: What, address: ClientAddress, codeId: string): Promise<void> {
      const now = clock.now().getTime();
      for (const { by, subject, most } of await boundsOf(tx, address, codeId)) {
        const counted = await repository.countJoining(tx, { subject, what, now, over: now - JOINING_COUNTED_MS });
        if (counted.times > most[what]) refuseReached(what, by, counted.since + JOINING_COUNTED_MS - now);
        if (what !== "joined" || counted.times < most.joined) continue;
        log.warn({ by, members: counted.times }, "as many members joined within a day as one address or code may make");
        await events.record(tx, joiningLimited, {
          by,
          codeId: by === "code" ? codeId : null,
        });
      }
    },

    forgetOld: (): Promise<void> =>
      transact((tx) => repository.deleteJoiningCountsUntil(tx, clock.now().getTime() - JOINING_COUNTED_MS)),
  };
}
