import { setTimeout as wait } from "node:timers/promises";
import { lockRows, type Transact, type Tx } from "./database/database.ts";
import { failure } from "./failure.ts";
import { newMasterKey, readKeyFile, writeKeyFile } from "./master-key.ts";
import { rewrite, type SealedColumn, type SealedText, sealedTexts } from "./sealed-columns.ts";
import { HASH_KEY_PLACE, makeSeal, opened, prefixOf, type Sealing, type SealingTables } from "./sealing.ts";

interface Rotation {
  /** The key that everything is sealed under now. */
  keyId: string;
  resealed: number;
  /** Places of texts that no key of the file opens; they were left unchanged. */
  unopened: string[];
}

interface Parts {
  transact: Transact;
  sealing: Sealing;
  keyFile: string;
  columns: readonly SealedColumn[];
  /** Called with the number of texts resealed so far. */
  told?: (resealed: number) => void;
}

const PER_TRANSACTION = 200;
/** Gives a running panel a turn between two transactions. */
const BREATH_MS = 5;

/**
 * Gives the database a new master key: reseals every text, then removes the old key from the file. If interrupted at any
 * point, the next call continues. The panel that reads this file may keep running (ADR 32).
 * @throws Error with one sentence if the file cannot be written or lacks a key that is still needed
 */
export async function rotateKey(parts: Parts): Promise<Rotation> {
  const { transact, keyFile, columns, told = () => {} } = parts;
  const keyId = await transact((tx) => begin(tx, parts));
  const rotation: Rotation = { keyId, resealed: 0, unopened: [] };
  told(0);
  for (const column of columns) {
    let after: SealedText | undefined;
    for (;;) {
      const { last, resealed, unopened } = await transact((tx) => resealSome(tx, parts, { column, after, keyId }));
      if (last === undefined) break;
      rotation.resealed += resealed;
      rotation.unopened.push(...unopened);
      told(rotation.resealed);
      after = last;
      await wait(BREATH_MS);
    }
  }
  // Database first, then the file: a file without a key that the database still needs would lose data.
  await transact(async (tx) => {
    if ((await lockRow(tx)).key_id === keyId)
      await tables(tx).updateTable("sealing").set({ previous_key_id: null }).execute();
  });
  await transact(async (tx) => {
    const present = readKeyFile(keyFile)?.find(({ id }) => id === keyId);
    const row = await lockRow(tx);
    // Another call may have started the next rotation already.
    if (present !== undefined && row.key_id === keyId && row.previous_key_id === null) writeKeyFile(keyFile, [present]);
  });
  return rotation;
}

const tables = (tx: Tx) => tx.withTables<SealingTables>();

/** The lock keeps two rotations from writing the file at once, and waits for transactions sealing under the current key. */
const lockRow = (tx: Tx) => tables(tx).selectFrom("sealing").selectAll().$call(lockRows(tx)).executeTakeFirstOrThrow();

/** Returns the id of the key to seal under: a new one, or the one of an interrupted rotation. */
async function begin(tx: Tx, { sealing, keyFile }: Parts): Promise<string> {
  const row = await lockRow(tx);
  const keys = readKeyFile(keyFile) ?? [];
  const present = keys.find(({ id }) => id === row.key_id);
  if (present === undefined) throw failure("key.not_of_database", { path: keyFile });
  if (row.previous_key_id !== null) {
    if (keys.some(({ id }) => id === row.previous_key_id)) return present.id;
    throw failure("key.rotation_lacks", { path: keyFile, id: row.previous_key_id });
  }
  // Everything is resealed; only the file still holds the old key.
  if (keys.length > 1 && keys[0] === present) return present.id;
  const fresh = newMasterKey();
  writeKeyFile(keyFile, [fresh, present]);
  const sealed_hash_key = makeSeal(fresh)(HASH_KEY_PLACE, sealing.open(HASH_KEY_PLACE, row.sealed_hash_key));
  await tables(tx)
    .updateTable("sealing")
    .set({ key_id: fresh.id, previous_key_id: present.id, sealed_hash_key })
    .execute();
  return fresh.id;
}

async function resealSome(
  tx: Tx,
  { sealing }: Parts,
  { column, after, keyId }: { column: SealedColumn; after: SealedText | undefined; keyId: string },
): Promise<{ last: SealedText | undefined; resealed: number; unopened: string[] }> {
  const texts = await sealedTexts(tx, column, { after, without: prefixOf(keyId), limit: PER_TRANSACTION });
  const seal = await sealing.sealer(tx);
  const unopened: string[] = [];
  for (const text of texts) {
    const secret = opened(sealing, text);
    if (secret === null) unopened.push(text.place);
    else await rewrite(tx, column, text, seal(text.place, secret));
  }
  return { last: texts.at(-1), resealed: texts.length - unopened.length, unopened };
}
