import { createCipheriv, createDecipheriv, createHmac, randomBytes } from "node:crypto";
import { type Database, type Db, isPostgres, lockPlace, type Tx } from "./database/database.ts";
import { failure } from "./failure.ts";
import { derivedFrom, type MasterKey, newMasterKey, readKeyFile, writeKeyFile } from "./master-key.ts";
import { type SealedColumn, type SealedText, sealedTexts } from "./sealed-columns.ts";

/** `place` binds the text to its row ('configs.private_key:ID'), so it cannot be moved to another. */
export type Seal = (place: string, secret: string) => string;

/** Seals secrets at rest: AES-256-GCM under the installation's master key (decisions, section 6). */
export interface Sealing {
  /**
   * Seals the texts this transaction writes. It reads the current key from the database and holds that row until the commit,
   * so no text is written under a key that is being dropped (ADR 32).
   */
  sealer(tx: Tx): Promise<Seal>;
  /** @throws if the text was altered, moved, or sealed under a key this panel does not have */
  open(place: string, sealed: string): string;
  /** A keyed hash for looking up a secret; base64url of 32 bytes. `purpose` separates uses. It survives rotations. */
  hash(purpose: string, value: string): string;
}

export type SealingTables = {
  sealing: {
    one: 1;
    /** The key texts are sealed under. */
    key_id: string;
    /** During a rotation: the key some texts are still under. */
    previous_key_id: string | null;
    /** The key of `hash`. Opening it is also how a start verifies the master key. */
    sealed_hash_key: string;
  };
};

/** What proves that a master key is right. */
export type HashKeyRow = Pick<SealingTables["sealing"], "key_id" | "sealed_hash_key">;

/** `v2.KEY-ID.` and base64url of nonce (12 bytes), tag (16 bytes) and ciphertext; `v1.` is the same without the key's id. */
const SEALED = /^(?:v1|v2\.([0-9a-f]{12}))\.([\w-]+)$/;
export const HASH_KEY_PLACE = "sealing.hash_key";

/** From each column: enough to tell whose key it is. */
const FEW = 20;

export const prefixOf = (keyId: string) => `v2.${keyId}.`;

const sealKeyOf = (key: MasterKey) => derivedFrom(key.bytes, "krug/seal/v1");

export function makeSeal(key: MasterKey): Seal {
  const sealKey = sealKeyOf(key);
  return (place, secret) => {
    const nonce = randomBytes(12);
    const cipher = createCipheriv("aes-256-gcm", sealKey, nonce).setAAD(Buffer.from(place));
    const body = Buffer.concat([cipher.update(secret, "utf8"), cipher.final()]);
    return prefixOf(key.id) + Buffer.concat([nonce, cipher.getAuthTag(), body]).toString("base64url");
  };
}

function openWith(sealKey: Buffer, place: string, bytes: Buffer): string {
  const decipher = createDecipheriv("aes-256-gcm", sealKey, bytes.subarray(0, 12), { authTagLength: 16 })
    .setAAD(Buffer.from(place))
    .setAuthTag(bytes.subarray(12, 28));
  return decipher.update(bytes.subarray(28), undefined, "utf8") + decipher.final("utf8");
}

/** Every key ever read from the file: a rotation in another process changes the file. */
function makeKeyRing(path: string) {
  const keys = new Map<string, { key: MasterKey; seal: Seal; sealKey: Buffer }>();
  const read = () => {
    const found = readKeyFile(path);
    for (const key of found ?? [])
      if (!keys.has(key.id)) keys.set(key.id, { key, seal: makeSeal(key), sealKey: sealKeyOf(key) });
    return found;
  };
  const find = (id: string) => {
    if (!keys.has(id)) read();
    return keys.get(id);
  };
  return { read, find, all: () => [...keys.values()] };
}

type KeyRing = ReturnType<typeof makeKeyRing>;

const makeOpen =
  (ring: KeyRing) =>
  (place: string, sealed: string): string => {
    const [, id, body] = SEALED.exec(sealed) ?? [];
    if (body === undefined) throw new Error(`sealed text of ${place} has an unknown form`);
    const bytes = Buffer.from(body, "base64url");
    if (id !== undefined) {
      const found = ring.find(id);
      if (found === undefined) throw new Error(`sealed text of ${place} needs master key ${id}, which is not here`);
      return openWith(found.sealKey, place, bytes);
    }
    for (const { sealKey } of ring.all()) {
      try {
        return openWith(sealKey, place, bytes);
      } catch {
        // Perhaps the next key opens it.
      }
    }
    throw new Error(`sealed text of ${place} does not open with any key of this panel`);
  };

const tables = (over: Db | Tx) => over.withTables<SealingTables>();

/** The single row, locked against rotation until the transaction ends. */
const heldRow = (tx: Tx) =>
  tables(tx)
    .selectFrom("sealing")
    .selectAll()
    .$call((query) => (isPostgres(tx) ? query.forShare() : query));

/**
 * Reads the master key, or makes it (32 random bytes in base64, mode 0600) if there is no file and nothing is sealed yet,
 * and checks that it belongs to this database. `columns`: where sealed texts are.
 * @throws Error with one sentence: the key is missing, unreadable or the wrong one
 */
export async function openSealing(
  { transact }: Pick<Database, "transact">,
  path: string,
  columns: readonly SealedColumn[],
): Promise<Sealing> {
  const ring = makeKeyRing(path);
  const open = makeOpen(ring);
  const hashKey = await transact(async (tx) => {
    // When two panels start first at once, one makes the key; the other finds that its key differs or is missing.
    await lockPlace(tx, "sealing");
    const row = await heldRow(tx).executeTakeFirst();
    const keys = ring.read();
    if (row !== undefined) {
      if (keys === null) throw missing(path, row.key_id);
      return openHashKey(row, path, ring, open);
    }
    const sealed: SealedText[] = [];
    for (const column of columns) sealed.push(...(await sealedTexts(tx, column, { limit: FEW })));
    if (keys === null && sealed.length > 0) throw missing(path);
    // From before the database named its key. A few texts may be under a wrong key that was in use for a while.
    const right = sealed.filter((text) => opened({ open }, text) !== null);
    if (right.length < sealed.length / 2) throw failure("key.opens_nothing", { path });
    const key = keys?.[0] ?? newMasterKey();
    if (keys === null) writeKeyFile(path, [key]);
    // Existing hashes stay valid.
    const made = sealed.length > 0 ? derivedFrom(key.bytes, "krug/hash/v1") : randomBytes(32);
    const sealed_hash_key = makeSeal(key)(HASH_KEY_PLACE, made.toString("base64"));
    await tables(tx)
      .insertInto("sealing")
      .values({ one: 1, key_id: key.id, previous_key_id: null, sealed_hash_key })
      .execute();
    return made;
  });
  return {
    open,
    async sealer(tx) {
      const { key_id } = await heldRow(tx).executeTakeFirstOrThrow();
      const present = ring.find(key_id);
      if (present === undefined)
        throw new Error(`the database is sealed with master key ${key_id} now, which ${path} does not hold`);
      return present.seal;
    },
    hash: hashUnder(hashKey),
  };
}

const hashUnder =
  (key: Buffer): Sealing["hash"] =>
  (purpose, value) =>
    createHmac("sha256", key).update(`${purpose}\0${value}`).digest("base64url");

/**
 * For reading next to a running panel: it makes no key, locks nothing and seals nothing.
 * @throws Error with one sentence, as above
 */
export async function openSealingToRead({ db }: Pick<Database, "db">, path: string): Promise<Sealing> {
  const ring = makeKeyRing(path);
  const open = makeOpen(ring);
  const row = await tables(db).selectFrom("sealing").selectAll().executeTakeFirst();
  if (ring.read() === null) throw missing(path, row?.key_id);
  if (row === undefined) throw failure("key.unnamed");
  const hashKey = openHashKey(row, path, ring, open);
  return {
    open,
    sealer: () => Promise.reject(new Error("this panel only looks")),
    hash: hashUnder(hashKey),
  };
}

/** A file's keys, for a copy that must contain the one that opens it. A rotation may change the file meanwhile. */
export function makeKeysOfCopy(path: string) {
  const ring = makeKeyRing(path);
  ring.read();
  return {
    /** Keys in the file now, then former ones. `row`: of the copy. @throws Error with one sentence, as above */
    opening(row: HashKeyRow | null): MasterKey[] {
      const now = ring.read();
      const all = ring.all().map(({ key }) => key);
      if (all.length === 0) throw missing(path, row?.key_id);
      if (row !== null) openHashKey(row, path, ring, makeOpen(ring));
      const isNow = ({ id }: MasterKey) => now?.some((key) => key.id === id) === true;
      return [...(now ?? []), ...all.filter((key) => !isNow(key))];
    },
    /** As `Sealing.hash` of the copy. @throws Error with one sentence, as above */
    hash: (row: HashKeyRow): Sealing["hash"] => hashUnder(openHashKey(row, path, ring, makeOpen(ring))),
  };
}

const missing = (path: string, keyId?: string) =>
  keyId === undefined ? failure("key.missing", { path }) : failure("key.missing_known", { path, id: keyId });

function openHashKey(row: HashKeyRow, path: string, ring: KeyRing, open: Sealing["open"]): Buffer {
  if (ring.find(row.key_id) === undefined) {
    const here = ring.all().map(({ key }) => key.id);
    throw failure("key.other", { path, here: here.join(" + "), wanted: row.key_id });
  }
  try {
    return Buffer.from(open(HASH_KEY_PLACE, row.sealed_hash_key), "base64");
  } catch (error) {
    throw failure("key.proof_damaged", {}, { cause: error });
  }
}

/** The secret, or null if it does not open. */
export function opened(
  { open }: Pick<Sealing, "open">,
  { place, text }: Pick<SealedText, "place" | "text">,
): string | null {
  try {
    return open(place, text);
  } catch {
    return null;
  }
}
