import type { TunnelAnswer } from "@krug/contract/vpn/interfaces";
import type { Db } from "../../../platform/database/database.ts";
import { refuse } from "../../../platform/refusal.ts";
import { tunnelOf } from "../interfaces/index.ts";
import { makeConfigChanges } from "./change-config.ts";
import { makeConfigLink, makeConfigText, refuseUnknownRoutes } from "./config-text.ts";
import type { ConfigParts } from "./parts.ts";
import * as repository from "./repository.ts";
import type { ConfigRow } from "./table.ts";

/** A config of the member's own that is not deleted. @throws Refusal */
export async function ownConfig({ db }: Pick<ConfigParts, "db">, memberId: string, id: string): Promise<ConfigRow> {
  const row = await repository.findOwn(db, id, memberId);
  return row === undefined || row.deleted_at !== null ? refuse("config.not_found") : row;
}

/** @throws Refusal if the panel can write no file for this config */
export async function refuseWithoutFile(db: Db, { id, sealed_private_key }: ConfigRow): Promise<void> {
  refuseUnknownRoutes((await repository.servicesOf(db, [id])).get(id) ?? []);
  if (sealed_private_key === null) refuse("config.key_in_browser");
}

/** Gives members their own config with the private key, as a file or a link, and records the download. @throws Refusal */
export function makeGiveFile(parts: ConfigParts) {
  const { db, interfaces } = parts;
  const changes = makeConfigChanges(parts);

  const giveBy =
    (write: (over: Db, row: ConfigRow) => Promise<string>) =>
    async (memberId: string, id: string): Promise<{ name: string; content: string; tunnel: TunnelAnswer }> => {
      const withKey = async () => {
        const row = await ownConfig(parts, memberId, id);
        await refuseWithoutFile(db, row);
        return row;
      };
      // Recorded first: an edit while the text is being written then marks it again.
      await changes.noteDelivered(await withKey());
      const row = await withKey();
      const tunnel = tunnelOf(await interfaces.find(db, row.interface_id));
      return { name: row.name, content: await write(db, row), tunnel };
    };
  return { file: giveBy(makeConfigText(parts)), link: giveBy(makeConfigLink(parts)) };
}
