import {
  AMNEZIA_FIELDS,
  AMNEZIA_VERSIONS,
  type AmneziaFault,
  type AmneziaProfile,
  amneziaFieldsOf,
  amneziaValue,
  whyNotProfile,
} from "./amneziawg.ts";
import type { TunnelParameters } from "./protocol.ts";

/* Profiles made by other programs that devices already have: fixing one would cut those devices off. */

/** The profile of the first version that has all these values; null if they are plain WireGuard's. */
export function givenProfile(parameters: TunnelParameters): AmneziaProfile | null {
  const told = AMNEZIA_FIELDS.filter(({ name, initial }) => (parameters[name] ?? initial) !== initial);
  const version = AMNEZIA_VERSIONS.find((each) => told.every(({ since }) => since <= each));
  if (told.length === 0 || version === undefined) return null;
  const all = amneziaFieldsOf(version).map(({ name, initial }) => [name, parameters[name] ?? initial]);
  return { version, parameters: Object.fromEntries(all) };
}

const TIMERS = [
  "rekey_after_time",
  "rekey_timeout",
  "reject_after_time",
  "keepalive_timeout",
  "max_handshake_attempts",
];
const PADDINGS = ["s1", "s2", "s3", "s4"];
/** Of 1,420 bytes, this leaves 576: the smallest possible MTU. */
const TRANSPORT_PADDING_MOST = 844;

/**
 * The faults of such a profile, in two groups: with fatal ones no engine starts, or it crashes; bearable ones only harm the
 * tunnel, which has run with them so far. `mtu` as for `whyNotProfile`.
 */
export function faultsOfGiven(
  profile: AmneziaProfile,
  mtu: number | null,
): { fatal: AmneziaFault[]; bearable: AmneziaFault[] } {
  const all = whyNotProfile(profile, mtu);
  const fatal = all.filter((fault) => isFatal(fault, profile));
  return { fatal, bearable: all.filter((fault) => !fatal.includes(fault)) };
}

function isFatal({ field, reason }: AmneziaFault, profile: AmneziaProfile): boolean {
  if (reason === "not_in_version" || reason === "not_a_value") return true;
  // One engine allocates an underflowed size, the other writes past its buffer.
  if (reason === "below_other") return field === "jmax";
  if (reason === "overlaps_other") return true;
  // Paddings that hold a key's nonce, and timers that count as the default.
  if (reason === "too_small") return PADDINGS.includes(field) || TIMERS.includes(field);
  return reason === "too_large" && field === "s4" && Number(amneziaValue(profile, "s4")) > TRANSPORT_PADDING_MOST;
}

/** Names of shared fields in which two ends, or two states, of one tunnel differ. */
export function sharedDifferences(one: TunnelParameters, other: TunnelParameters): string[] {
  return AMNEZIA_FIELDS.filter(
    ({ name, isShared }) =>
      isShared && amneziaValue({ parameters: one }, name) !== amneziaValue({ parameters: other }, name),
  ).map(({ name }) => name);
}
