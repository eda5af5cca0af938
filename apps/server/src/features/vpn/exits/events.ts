import { eventType } from "../../../platform/events.ts";

/** Links of these entries were made, removed or given new keys, or their exits stopped or started to answer. */
export const exitsChanged = eventType<{ entryIds: string[] }>("exits.changed");

interface ExitTold {
  /** Names of the servers whose traffic leaves by it, and of the exit. */
  server: string;
  exit: string;
  /** ms since 1970. */
  since: number;
}

/** For two minutes traffic could not leave by this exit. `stuck`: it answers, but has no internet itself. */
export const exitGone = eventType<ExitTold & { because: "silent" | "stuck" }>("exit.gone");

/** It can again, after staff were notified that it could not. */
export const exitBack = eventType<ExitTold & { until: number }>("exit.back");
