import { afterCommit, type Db } from "../../platform/database/database.ts";
import type { Events } from "../../platform/events.ts";
import { settingsChanged } from "./events.ts";
import type { Settings } from "./index.ts";

/**
 * The zone in which the club's days begin: the environment's, else the one that is set, which may change while the panel runs.
 * `fixed`: the environment's, null without one.
 */
export function makeClubZone({
  fixed,
  settings,
  events,
}: {
  fixed: string | null;
  settings: Settings;
  events: Events;
}) {
  let zone = fixed ?? settings.defaults.clubTimeZone;
  if (fixed === null)
    events.on(settingsChanged, async (tx, { names }) => {
      if (!names.includes("clubTimeZone")) return;
      const { clubTimeZone } = await settings.read(tx);
      afterCommit(tx, () => {
        zone = clubTimeZone;
      });
    });
  return {
    now: () => zone,
    /** Reads what is set: at the start, and again for what another panel on the same database was told. */
    async load(db: Db): Promise<void> {
      if (fixed === null) zone = (await settings.read(db)).clubTimeZone;
    },
  };
}
