import type { UnreadablePeer } from "@krug/wireguard/interface";
import {
  asPresharedKey,
  asPublicKey,
  NO_PRESHARED_KEY,
  type PresharedKey,
  type PrivateKey,
  type PublicKey,
} from "@krug/wireguard/key-text";
import { generateKeyPair, generatePresharedKey } from "@krug/wireguard/keys";
import type { Tx } from "../../../platform/database/database.ts";
import { refuse } from "../../../platform/refusal.ts";
import type { SealedColumn } from "../../../platform/sealed-columns.ts";
import type { Seal, Sealing } from "../../../platform/sealing.ts";
import type { Interfaces } from "../interfaces/index.ts";
import * as repository from "./repository.ts";
import type { ConfigRow } from "./table.ts";

const privateKeyPlace = (id: string) => `configs.private_key:${id}`;
const presharedKeyPlace = (id: string) => `configs.preshared_key:${id}`;

const ofConfigs = { table: "configs", key: ["id"] };
export const sealedInConfigs: SealedColumn[] = [
  { ...ofConfigs, column: "sealed_private_key", place: ({ id = "" }) => privateKeyPlace(id) },
  { ...ofConfigs, column: "sealed_preshared_key", place: ({ id = "" }) => presharedKeyPlace(id) },
];

type KeyColumns = Pick<ConfigRow, "public_key" | "sealed_private_key" | "sealed_preshared_key">;

/**
 * Keys for a config's row: the panel's own pair, or the public key of a pair made in the browser (decisions, section 6).
 * @throws Refusal config.key_invalid
 */
export function newKeys(seal: Seal, configId: string, browserKey: string | undefined): KeyColumns {
  const sealed_preshared_key = newPresharedKey(seal, configId);
  if (browserKey !== undefined) {
    const public_key = asPublicKey(browserKey) ?? refuse("config.key_invalid", { field: "publicKey" });
    return { public_key, sealed_private_key: null, sealed_preshared_key };
  }
  const pair = generateKeyPair();
  return {
    public_key: pair.publicKey,
    sealed_private_key: seal(privateKeyPlace(configId), pair.privateKey),
    sealed_preshared_key,
  };
}

export const newPresharedKey = (seal: Seal, configId: string) =>
  seal(presharedKeyPlace(configId), generatePresharedKey());

/** Null if it has none, as an imported device may. */
export const sealedPresharedKey = (seal: Seal, id: string, presharedKey: PresharedKey | null) =>
  seal(presharedKeyPlace(id), presharedKey ?? NO_PRESHARED_KEY);

/** Null if the device has none. @throws if it cannot be opened: it is damaged, or its master key is not here */
export const presharedKeyOf = (
  sealing: Sealing,
  row: Pick<ConfigRow, "id" | "sealed_preshared_key">,
): PresharedKey | null => asPresharedKey(sealing.open(presharedKeyPlace(row.id), row.sealed_preshared_key));

/** The keys an imported device already has. */
export const givenKeys = (
  seal: Seal,
  configId: string,
  keys: { publicKey: PublicKey; privateKey: PrivateKey | null; presharedKey: PresharedKey | null },
): KeyColumns => ({
  public_key: keys.publicKey,
  sealed_private_key: keys.privateKey && seal(privateKeyPlace(configId), keys.privateKey),
  sealed_preshared_key: sealedPresharedKey(seal, configId, keys.presharedKey),
});

/** All of a peer but its preshared key. */
export const unreadablePeerOf = (row: Pick<ConfigRow, "public_key" | "address" | "address_v6">): UnreadablePeer => ({
  publicKey: row.public_key as PublicKey,
  allowedIps: row.address_v6 === null ? [`${row.address}/32`] : [`${row.address}/32`, `${row.address_v6}/128`],
});

/** What `open` reads of a config's keys. @throws Refusal config.secret_lost if one cannot be opened */
export function keysUnlessLost<Keys>(open: () => Keys): Keys {
  try {
    return open();
  } catch {
    return refuse("config.secret_lost");
  }
}

/** Null if only the device has it. */
export const privateKeyOf = (sealing: Sealing, row: ConfigRow) =>
  row.sealed_private_key === null
    ? null
    : (sealing.open(privateKeyPlace(row.id), row.sealed_private_key) as PrivateKey);

/** Whether a config or one of our interfaces has this key: WireGuard silently drops a peer with its interface's own key. */
export async function isKeyTaken(interfaces: Interfaces, tx: Tx, publicKey: string): Promise<boolean> {
  const places = [...(await interfaces.places(tx)).values()];
  return places.some((place) => place.interface.public_key === publicKey) || repository.isKeyTaken(tx, publicKey);
}
