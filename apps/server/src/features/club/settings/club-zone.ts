import { afterCommit } from "../../../platform/database/database.ts";
import type { Platform } from "../../../platform/platform.ts";
import type { Settings } from "./club-settings.ts";
import { settingsChanged } from "./events.ts";

const ZONE_CHANGED = "settings.zone_changed";

/**
 * The time zone of the club's days: the environment's, else the setting's, which may change while the panel runs. `fixed`: the
 * environment's, or null.
 */
export function makeClubZone({
  fixed,
  db,
  settings,
  events,
  signals,
}: Omit<Platform, "clubTime"> & { fixed: string | null; settings: Settings }) {
  let zone = fixed ?? settings.defaults.clubTimeZone;
  /** Reads the setting: at the start, and when another panel changes it. */
  const load = async (): Promise<void> => {
    if (fixed === null) zone = (await settings.read(db)).clubTimeZone;
  };
  signals.on(ZONE_CHANGED, load);
  signals.onGap(load);
  if (fixed === null)
    events.on(settingsChanged, async (tx, { names }) => {
      if (!names.includes("clubTimeZone")) return;
      const { clubTimeZone } = await settings.read(tx);
      signals.send(tx, ZONE_CHANGED);
      afterCommit(tx, () => {
        zone = clubTimeZone;
      });
    });
  return {
    now: () => zone,
    load,
    timed: [{ name: "club's zone", at: "15 * * * * *", run: load }],
  };
}
