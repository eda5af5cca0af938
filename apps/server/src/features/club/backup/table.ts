import type { Reason } from "@krug/domain/reasons";
import type { PlaceName } from "../../../platform/archive/place.ts";

export type BackupTables = {
  scheduled_backups: {
    one: 1;
    since: number;
    tried_at: number | null;
    good_at: number | null;
    bytes: number | null;
    problem: Reason | null;
    told_at: number | null;
    place_kind: PlaceName["kind"] | null;
    place: string | null;
    /** The panel that made the last good one; null for backups from before this was recorded. */
    made_by: string | null;
    /** JSON: an array of names. */
    unproven: string;
  };
};

export type BackupRow = BackupTables["scheduled_backups"];
