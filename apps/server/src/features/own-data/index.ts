import type { Contract } from "@krug/contract/api";
import type { Clock } from "../../platform/clock.ts";
import type { ClubTime } from "../../platform/club-time.ts";
import type { Handlers } from "../../platform/http/call.ts";

/**
 * What one feature holds about a member, as JSON for him to keep: no secret, nobody else's secret either, and a known end
 * to its rows. Times are ISO 8601.
 */
export type OwnData = (memberId: string) => Promise<unknown>;

/** A member's own data as one file, a section a feature; the sections are named where the application is composed. */
export function makeOwnData(
  { clock, clubTime }: { clock: Clock; clubTime: ClubTime },
  sections: Readonly<Record<string, OwnData>>,
) {
  const routes: Handlers<Contract["ownData"]> = {
    async download({ actor }) {
      const now = clock.now();
      const file: Record<string, unknown> = { madeAt: now.toISOString() };
      for (const [name, collect] of Object.entries(sections)) file[name] = await collect(actor.memberId);
      return {
        fileName: `krug-${actor.username}-${clubTime.dayOf(now.getTime())}.json`,
        content: JSON.stringify(file, null, 2),
      };
    },
  };
  return { routes };
}
