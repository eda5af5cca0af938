import type { Features } from "./features.ts";
import { type HadMembers, lostMembers } from "./installation.ts";
import type { Database } from "./platform/database/database.ts";
import type { Log } from "./platform/log.ts";

/**
 * Records that there are members, both in the folder and in the file: a part of this installation must not be taken for a new
 * one.
 */
export const makeNoteMembers =
  ({ hadMembers, database, log }: { hadMembers: HadMembers; database: Database; log: Log }) =>
  (): void => {
    const note = async () => {
      hadMembers.note();
      await database.foldLog();
    };
    note().catch((error: unknown) => log.error({ err: error }, "could not note that there are members"));
  };

interface Parts extends Pick<Features, "members" | "audit" | "catalog"> {
  database: Database;
  /** Where the database is, for the operator. */
  databasePlace: string;
  hadMembers: HadMembers;
}

/**
 * Fills an empty database with its initial contents. An installation that had members is not treated as a new one, which would
 * offer a link to the first visitor.
 * @throws Error with a message for the operator if there were members before
 */
export async function fillEmptyDatabase(parts: Parts): Promise<void> {
  const { members, audit, catalog, database, databasePlace, hadMembers } = parts;
  if (!(await members.isEmpty(database.db))) return hadMembers.note();
  const wasUsed = !(await audit.isEmpty(database.db));
  if (wasUsed)
    throw new Error(lostMembers(databasePlace, "To continue with it, create an admin: krug create-admin NAME. "));
  if (hadMembers.isNoted()) throw new Error(lostMembers(databasePlace));
  // Only before there is anyone: an admin who empties the catalogue means it.
  await database.transact((tx) => catalog.seedCatalog(tx));
}
