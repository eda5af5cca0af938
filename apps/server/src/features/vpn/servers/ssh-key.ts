import type { Remotes } from "../../../hosts/remote.ts";
import { type Db, lockPlace, type Tx } from "../../../platform/database/database.ts";
import type { Platform } from "../../../platform/platform.ts";
import type { SealedColumn } from "../../../platform/sealed-columns.ts";
import type { ServerTables } from "./table.ts";

const PLACE = "ssh_key.private_key:panel";

export const sealedInSshKey: SealedColumn = {
  table: "ssh_key",
  column: "sealed_private_key",
  key: ["id"],
  place: () => PLACE,
};

export interface SshKey {
  /** As a line of authorized_keys, without a comment. */
  publicKey: string;
  privateKey: string;
}

interface Parts extends Platform {
  remotes: Remotes;
}

/** The panel's own SSH key, made on first use, and the same for every panel on the database. */
export function makeSshKey({ db, transact, clock, sealing, remotes }: Parts): () => Promise<SshKey> {
  const find = (over: Db | Tx) =>
    over.withTables<ServerTables>().selectFrom("ssh_key").selectAll().where("id", "=", "panel").executeTakeFirst();
  return async () => {
    let row = await find(db);
    if (row === undefined) {
      const made = await remotes.newKey();
      row = await transact(async (tx) => {
        await lockPlace(tx, "ssh key");
        const other = await find(tx);
        if (other !== undefined) return other;
        const seal = await sealing.sealer(tx);
        const mine = {
          id: "panel" as const,
          public_key: made.publicKey,
          sealed_private_key: seal(PLACE, made.privateKey),
          created_at: clock.now().getTime(),
        };
        await tx.withTables<ServerTables>().insertInto("ssh_key").values(mine).execute();
        return mine;
      });
    }
    return { publicKey: row.public_key, privateKey: sealing.open(PLACE, row.sealed_private_key) };
  };
}
