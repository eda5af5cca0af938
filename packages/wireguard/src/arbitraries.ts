import fc from "fast-check";
import { formatAddress, formatCidr, parseCidr } from "./addresses.ts";
import { AMNEZIA_VERSIONS, type AmneziaVersion } from "./amneziawg.ts";
import { AMNEZIA_PRESETS, generateProfile } from "./amneziawg-generator.ts";
import { asPresharedKey, asPrivateKey, asPublicKey } from "./key-text.ts";

/** Random values for each kind of field, for property tests only. */

const bytes = fc
  .uint8Array({ minLength: 32, maxLength: 32 })
  .filter((raw) => raw.some((byte) => byte !== 0))
  .map((raw) => Buffer.from(raw).toString("base64"));
export const anyPublicKey = bytes.map((text) => asPublicKey(text)!);
export const anyPrivateKey = bytes.map((text) => asPrivateKey(text)!);
export const anyPresharedKey = bytes.map((text) => asPresharedKey(text)!);

const anyV4 = fc.bigInt(0n, 2n ** 32n - 1n).map((value) => formatAddress(4, value));
const anyV6 = fc.bigInt(0n, 2n ** 128n - 1n).map((value) => formatAddress(6, value));
/** Bare. */
export const anyAddress = fc.oneof(anyV4, anyV6);
/** With prefix and host bits. */
export const anyHost = fc.oneof(
  fc.tuple(anyV4, fc.nat(32)).map(([address, prefix]) => `${address}/${prefix}`),
  fc.tuple(anyV6, fc.nat(128)).map(([address, prefix]) => `${address}/${prefix}`),
);
/** Host bits masked. */
export const anyNetwork = anyHost.map((text) => formatCidr(parseCidr(text)!));

/** Any numbers, including always the smallest or always the largest: a generator must not depend on luck. */
const anyRandom = fc.oneof(
  fc.constant((_: number) => 0),
  fc.constant((below: number) => below - 1),
  fc.infiniteStream(fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true })).map((numbers) => (below: number) => {
    const { value } = numbers.next();
    return Math.floor(value * below);
  }),
);
/** A generated AmneziaWG profile of any of these versions. */
export const anyGeneratedOf = (...versions: readonly AmneziaVersion[]) =>
  fc
    .tuple(fc.constantFrom(...versions), fc.constantFrom(...AMNEZIA_PRESETS), anyRandom)
    .map(([version, preset, random]) => generateProfile(version, preset, random));
export const anyGenerated = anyGeneratedOf(...AMNEZIA_VERSIONS);
