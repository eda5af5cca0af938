import { type ServerAnswer, Unfit } from "@krug/contract/vpn/servers";
import { aboutOf } from "./connections.ts";
import { needsSetup } from "./status.ts";
import type { ServerRow } from "./table.ts";

/** What the last inspection found against a machine that is not set up yet; rows from before inspections have nothing. */
export function unfitOf(server: ServerRow): ServerAnswer["unfit"] {
  const unfit = needsSetup(server) ? (aboutOf(server)?.unfit ?? null) : null;
  const failure = Unfit.safeParse(unfit?.failure);
  return failure.success ? { failure: failure.data, detail: unfit?.detail ?? null } : null;
}
