import type { Contract } from "@krug/contract/api";
import type { DataExport } from "../../../platform/feature.ts";
import type { Handlers } from "../../../platform/http/call.ts";
import type { Platform } from "../../../platform/platform.ts";

interface Parts extends Platform {
  /** Each feature's section, by name. */
  sections: Readonly<Record<string, DataExport>>;
}

/** A member's own data as one file, with a section for each feature. */
export const makeDataExportRoutes = ({ clock, clubTime, sections }: Parts): Handlers<Contract["dataExport"]> => ({
  async download({ actor }) {
    const now = clock.now();
    const file: Record<string, unknown> = { madeAt: now.toISOString() };
    for (const [name, collect] of Object.entries(sections)) file[name] = await collect(actor.memberId);
    return {
      fileName: `krug-${actor.username}-${clubTime.dayOf(now.getTime())}.json`,
      content: JSON.stringify(file, null, 2),
    };
  },
});
