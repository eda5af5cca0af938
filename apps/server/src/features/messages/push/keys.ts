import { createECDH } from "node:crypto";
import { lockPlace } from "../../../platform/database/database.ts";
import type { Platform } from "../../../platform/platform.ts";
import type { SealedColumn } from "../../../platform/sealed-columns.ts";
import * as repository from "./repository.ts";

export const KEY_PLACE = "push_keys.private_key";
export const sealedKeys: SealedColumn = {
  table: "push_keys",
  column: "sealed_private_key",
  key: ["name"],
  place: () => KEY_PLACE,
};

/** Both base64url. */
export interface ClubKeys {
  publicKey: string;
  privateKey: string;
}

/**
 * The key pair that identifies the club to push services (RFC 8292): made once, when somebody first opens their settings, and the
 * same on every panel of the database. Browsers' subscriptions are bound to it, so it never changes.
 */
export function makeClubKeys({ db, transact, sealing }: Platform) {
  let known: ClubKeys | undefined;
  const make = () =>
    transact(async (tx) => {
      await lockPlace(tx, "push_keys");
      const there = await repository.keys(tx);
      if (there !== undefined) return there;
      const pair = createECDH("prime256v1");
      pair.generateKeys();
      const seal = await sealing.sealer(tx);
      // 32 bytes, also if the number is shorter.
      const privateKey = Buffer.concat([Buffer.alloc(32), pair.getPrivateKey()])
        .subarray(-32)
        .toString("base64url");
      const made = {
        name: "club",
        public_key: pair.getPublicKey("base64url"),
        sealed_private_key: seal(KEY_PLACE, privateKey),
      } as const;
      await repository.insertKeys(tx, made);
      return made;
    });
  return async (): Promise<ClubKeys> => {
    if (known === undefined) {
      const row = (await repository.keys(db)) ?? (await make());
      known = { publicKey: row.public_key, privateKey: sealing.open(KEY_PLACE, row.sealed_private_key) };
    }
    return known;
  };
}
