import { refuse } from "../../platform/refusal.ts";
import { makeConfigChanges } from "./change-config.ts";
import { makeConfigText, refuseUnknownRoutes } from "./config-text.ts";
import type { ConfigParts } from "./parts.ts";
import * as repository from "./repository.ts";
import type { ConfigRow } from "./table.ts";

/** A config of the member's own that was not deleted. @throws Refusal */
export async function ownConfig({ db }: Pick<ConfigParts, "db">, memberId: string, id: string): Promise<ConfigRow> {
  const row = await repository.findOwn(db, id, memberId);
  return row === undefined || row.deleted_at !== null ? refuse("config.not_found") : row;
}

/** Gives a member the file of his own config, with the private key, and notes that he has it. @throws Refusal */
export function makeGiveFile(parts: ConfigParts) {
  const { db } = parts;
  const changes = makeConfigChanges(parts);
  const textOf = makeConfigText(parts);

  return async (memberId: string, id: string): Promise<{ name: string; content: string }> => {
    const withKey = async () => {
      const row = await ownConfig(parts, memberId, id);
      refuseUnknownRoutes((await repository.servicesOf(db, [id])).get(id) ?? []);
      return row.sealed_private_key === null ? refuse("config.key_in_browser") : row;
    };
    // Marked first: an edit while the text is being written then marks it again.
    await changes.noteDelivered(await withKey());
    const row = await withKey();
    return { name: row.name, content: await textOf(db, row) };
  };
}
