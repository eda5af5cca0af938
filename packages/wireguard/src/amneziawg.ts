import { DEFAULT_MTU } from "./path-mtu.ts";
import type { TunnelField, TunnelParameters, TunnelProtocol } from "./protocol.ts";

/*
 * AmneziaWG: WireGuard whose packets look like nothing in particular. What the engines parse is in amneziawg-go's device/uapi.go
 * and amneziawg-tools' config.c; the bounds that none of them checks are in `whyNotProfile`.
 */

/** There is no negotiation: all devices of an interface use its one version. */
export const AMNEZIA_VERSIONS = ["2.0", "3.1"] as const;
export type AmneziaVersion = (typeof AMNEZIA_VERSIONS)[number];

/**
 * What an interface and its devices share. `parameters` by their names on the control socket, in canonical form; HPK is a secret.
 */
export interface AmneziaProfile {
  version: AmneziaVersion;
  parameters: TunnelParameters;
}

export interface AmneziaField extends TunnelField {
  /** Its spelling in a config file. */
  key: string;
  /** The first version that has it. */
  since: AmneziaVersion;
  /** Both ends need the same value: a device that keeps the old one goes silent, as if the port were blocked. */
  isShared: boolean;
  /** Converts between the canonical form and that of a config file. */
  toText(value: string): string;
  fromText(text: string): string | null;
}

type Form = Pick<AmneziaField, "initial" | "parse"> & Partial<Pick<AmneziaField, "canReturn" | "toText" | "fromText">>;

const MOST_16_BITS = 2 ** 16 - 1;
const MOST_32_BITS = 2 ** 32 - 1;

const whole = (text: string, most: number) =>
  /^[0-9]{1,10}$/.test(text) && Number(text) <= most ? Number(text) : null;

const number = (): Form => ({
  initial: "0",
  // The kernel's range is narrower than amneziawg-go's; both must accept it.
  parse: (text) => whole(text, MOST_16_BITS)?.toString() ?? null,
});
/** The engine rejects zero, so a live interface keeps its value. */
const positive = (): Form => ({ ...number(), canReturn: false });
const range = (initial: string, most: number): Form => ({
  initial,
  parse(text) {
    const { from, to } = rangeOf(text);
    return from <= to && to <= most ? (from === to ? `${from}` : `${from}-${to}`) : null;
  },
});
const chain = (): Form => ({ initial: "", parse: (text) => (chainLength(text) === null ? null : text) });
const secret = (): Form => ({
  initial: "0".repeat(64),
  parse: (text) => (/^[0-9a-f]{64}$/i.test(text) ? text.toLowerCase() : null),
  // The kernel module takes zeros as a key of zeros.
  canReturn: false,
  toText: base64Of,
  fromText: (text) => (/^[A-Za-z0-9+/]{42}[AEIMQUYcgkosw048]=$/.test(text) ? hexOf(text) : null),
});
const flag = (): Form => ({
  initial: "0",
  parse: (text) => (text === "0" || text === "1" ? text : null),
  toText: (value) => (value === "1" ? "on" : "off"),
  fromText: (text) => ({ on: "1", off: "0" })[text.toLowerCase()] ?? null,
});

// No Buffer: the browser checks profiles too.
const hexOf = (base64: string) =>
  Array.from(atob(base64), (byte) => byte.charCodeAt(0).toString(16).padStart(2, "0")).join("");
function base64Of(hex: string): string {
  return btoa(String.fromCharCode(...(hex.match(/../g) ?? []).map((byte) => Number.parseInt(byte, 16))));
}

function field(key: string, name: string, since: AmneziaVersion, side: "shared" | "free", form: Form): AmneziaField {
  return { key, name, since, isShared: side === "shared", toText: (value) => value, fromText: form.parse, ...form };
}

/** In the order of Amnezia's config files. */
export const AMNEZIA_FIELDS: readonly AmneziaField[] = [
  field("Jc", "jc", "2.0", "free", positive()),
  field("Jmin", "jmin", "2.0", "free", positive()),
  field("Jmax", "jmax", "2.0", "free", positive()),
  ...["1", "2", "3", "4"].map((n) => field(`S${n}`, `s${n}`, "2.0", "shared", number())),
  ...["1", "2", "3", "4"].map((n) => field(`H${n}`, `h${n}`, "2.0", "shared", range(n, MOST_32_BITS))),
  ...["1", "2", "3", "4", "5"].map((n) => field(`I${n}`, `i${n}`, "2.0", "free", chain())),
  field("HeaderProtectionKey", "header_protection_key", "3.1", "shared", secret()),
  // The tools store these in 16 bits, and larger numbers wrap around.
  field("ContentPaddingAddition", "content_padding_addition", "3.1", "free", range("0", MOST_16_BITS)),
  field("RekeyAfterTime", "rekey_after_time", "3.1", "free", range("120", MOST_16_BITS)),
  field("RekeyTimeout", "rekey_timeout", "3.1", "free", range("5", MOST_16_BITS)),
  field("RejectAfterTime", "reject_after_time", "3.1", "free", range("180", MOST_16_BITS)),
  field("KeepaliveTimeout", "keepalive_timeout", "3.1", "free", range("10", MOST_16_BITS)),
  field("MaxHandshakeAttempts", "max_handshake_attempts", "3.1", "free", range("18", MOST_16_BITS)),
  field("RandomTrailers", "random_trailers", "3.1", "shared", flag()),
  field("DisableCookies", "disable_cookies", "3.1", "free", flag()),
];

/**
 * Driven only through its control socket, because Debian has no package for `awg`. `engine` is the path of the panel's engine.
 */
export const amneziawgBy = (engine: string): TunnelProtocol => ({
  type: "amneziawg",
  program: null,
  linkType: "amneziawg",
  engines: [{ program: engine, args: ["--foreground"] }],
  socketFolder: "/var/run/amneziawg",
  fields: AMNEZIA_FIELDS,
  mtuFor: (parameters) => amneziaMtu({ parameters }),
});

export const amneziaFieldsOf = (version: AmneziaVersion): AmneziaField[] =>
  AMNEZIA_FIELDS.filter(({ since }) => since <= version);

/** A field's value; the initial one if the profile has none. */
export function amneziaValue({ parameters }: Pick<AmneziaProfile, "parameters">, name: string): string {
  const known = AMNEZIA_FIELDS.find((each) => each.name === name);
  if (known === undefined) throw new RangeError(`AmneziaWG has no ${name}`);
  return parameters[name] ?? known.initial;
}

/** 'a' or 'a-b'; NaN for anything else. */
export function rangeOf(text: string): { from: number; to: number } {
  const [, from = "", to = from] = /^([0-9]{1,10})(?:-([0-9]{1,10}))?$/.exec(text) ?? [];
  return from === "" ? { from: Number.NaN, to: Number.NaN } : { from: Number(from), to: Number(to) };
}

/**
 * How many bytes a chain of tags makes; null if it is not a chain. The engines skip text outside tags and crash on negative
 * counts; one of them does not know `<c>`.
 */
export function chainLength(text: string): number | null {
  let length = 0;
  const rest = text.replace(CHAIN_TAG, (_, bytes, _kind, count) => {
    length += bytes !== undefined ? bytes.length / 2 : count !== undefined ? Number(count) : TIME_BYTES;
    return "";
  });
  return rest === "" ? length : null;
}

/** One tag: bytes in hex, a kind of random bytes and their number, or the time. */
export const CHAIN_TAG = /<(?:b 0x((?:[0-9a-fA-F]{2})+)|(r|rc|rd) ([1-9][0-9]{0,3})|t)>/g;
const TIME_BYTES = 4;

/** Sizes of WireGuard's messages without padding, by the field that pads them: init, response, cookie, transport. */
const FIXED = { s1: 148, s2: 92, s3: 64, s4: 32 } as const;
type Padding = keyof typeof FIXED;
const PADDINGS = Object.keys(FIXED) as Padding[];
const HEADERS = ["h1", "h2", "h3", "h4"] as const;
const CHAINS = ["i1", "i2", "i3", "i4", "i5"] as const;

/** What every IPv6 network carries without fragmentation. Handshakes and what precedes them stay below it. */
const PACKET_MOST = 1280;
const JUNK_PACKETS_MOST = 128;
/** The nonce of the header protection is taken from the padding. */
const NONCE_BYTES = 12;
/** Smaller values are WireGuard's own message types. */
const HEADER_LEAST = 5;
/** Leaves the sign bit free, as all generators do. */
const HEADER_MOST = 2 ** 31 - 1;
/** The tools pack all five unchecked into 4,096 bytes. */
const CHAINS_MOST = 3_400;

/** For a generator: the bounds that `whyNotProfile` checks. */
export const PROFILE_BOUNDS = { fixed: FIXED, headerLeast: HEADER_LEAST, headerMost: HEADER_MOST };

/** Why a profile cannot be used: the field, and what it conflicts with. `other` is a second field, `limit` a number. */
export interface AmneziaFault {
  field: string;
  reason:
    | "not_in_version"
    | "not_a_value"
    | "too_small"
    | "too_large"
    | "below_other"
    | "same_size_as_other"
    | "differs_from_other"
    | "overlaps_other"
    | "not_one_value"
    | "too_long_together"
    | "missing";
  other?: string | undefined;
  limit?: number | undefined;
}

/**
 * All faults of a profile: what the engines refuse, what makes them fail, and what would lose packets or give them away. `mtu` is
 * the tunnel's, null for the largest that fits. Empty: the profile is usable.
 */
export function whyNotProfile({ version, parameters }: AmneziaProfile, mtu: number | null = null): AmneziaFault[] {
  const ofVersion = new Map(amneziaFieldsOf(version).map((each) => [each.name, each]));
  const wrong = Object.entries(parameters).flatMap(([name, value]): AmneziaFault[] => {
    const known = ofVersion.get(name);
    if (known === undefined) return [{ field: name, reason: "not_in_version" }];
    return known.parse(value) === null ? [{ field: name, reason: "not_a_value" }] : [];
  });
  // Relations between fields can only be checked for valid values.
  return wrong.length > 0 ? wrong : faultsOf({ version, parameters }, mtu);
}

function faultsOf(profile: AmneziaProfile, mtu: number | null): AmneziaFault[] {
  const value = (name: string) => amneziaValue(profile, name);
  const count = (name: string) => Number(value(name));
  const span = (name: string) => rangeOf(value(name));
  const hasKey = !/^0*$/.test(value("header_protection_key"));
  const hasTrailers = value("random_trailers") === "1";
  const faults: AmneziaFault[] = [];
  const within = (name: string, least: number, most: number) => {
    const { from, to } = span(name);
    if (from < least) faults.push({ field: name, reason: "too_small", limit: least });
    if (to > most) faults.push({ field: name, reason: "too_large", limit: most });
  };

  within("jc", 1, JUNK_PACKETS_MOST);
  within("jmin", 1, PACKET_MOST);
  within("jmax", 1, PACKET_MOST);
  if (count("jmax") < count("jmin")) faults.push({ field: "jmax", reason: "below_other", other: "jmin" });

  const paddingLeast = hasKey ? NONCE_BYTES : 0;
  for (const name of ["s1", "s2", "s3"] as const) within(name, paddingLeast, PACKET_MOST - FIXED[name]);
  within("s4", paddingLeast, DEFAULT_MTU - (mtu ?? PACKET_MOST));
  for (const [a, b] of pairsOf(PADDINGS)) {
    const isSame = count(a) + FIXED[a] === count(b) + FIXED[b];
    if (!hasTrailers && isSame) faults.push({ field: b, reason: "same_size_as_other", other: a });
  }
  // With trailers a size is only a minimum, so padding must not let the shortest messages pass for the others.
  if (hasTrailers) {
    for (const name of PADDINGS.slice(1))
      if (count(name) !== count("s1")) faults.push({ field: name, reason: "differs_from_other", other: "s1" });
  }

  for (const name of HEADERS) {
    within(name, hasKey ? 1 : HEADER_LEAST, HEADER_MOST);
    // Each further value raises the chance that data is taken for a handshake and lost.
    if (hasTrailers && span(name).from !== span(name).to) faults.push({ field: name, reason: "not_one_value" });
  }
  for (const [a, b] of pairsOf(HEADERS))
    if (span(a).from <= span(b).to && span(b).from <= span(a).to)
      faults.push({ field: b, reason: "overlaps_other", other: a });

  for (const name of CHAINS) {
    if ((chainLength(value(name)) ?? 0) > PACKET_MOST)
      faults.push({ field: name, reason: "too_large", limit: PACKET_MOST });
  }
  const longest = CHAINS.findLast((name) => value(name) !== "");
  if (longest !== undefined && CHAINS.reduce((sum, name) => sum + value(name).length, 0) > CHAINS_MOST)
    faults.push({ field: longest, reason: "too_long_together", limit: CHAINS_MOST });

  if (profile.version === "3.1") {
    if (!hasKey) faults.push({ field: "header_protection_key", reason: "missing" });
    within("content_padding_addition", 0, PACKET_MOST);
    for (const name of ["rekey_after_time", "rekey_timeout", "keepalive_timeout", "max_handshake_attempts"])
      within(name, 1, MOST_16_BITS);
    if (span("reject_after_time").from <= span("rekey_after_time").to)
      faults.push({ field: "reject_after_time", reason: "below_other", other: "rekey_after_time" });
  }
  return faults;
}

function pairsOf<Name>(names: readonly Name[]): [Name, Name][] {
  return names.flatMap((a, place) => names.slice(place + 1).map((b): [Name, Name] => [a, b]));
}

/** The largest MTU that leaves room for the padding on every packet; the tools' own default ignores it. */
export const amneziaMtu = (profile: Pick<AmneziaProfile, "parameters">): number =>
  DEFAULT_MTU - Number(amneziaValue(profile, "s4"));

/** What happens to an interface's devices when its profile changes. */
export interface AmneziaChange {
  /** Names of the fields that differ. */
  fields: string[];
  /** Every device goes silent until it has imported its new config. */
  cutsDevicesOff: boolean;
}

/** @throws RangeError on an invalid value */
export function amneziaChange(before: AmneziaProfile, after: AmneziaProfile): AmneziaChange {
  const differing = AMNEZIA_FIELDS.filter(({ name, parse }) => {
    const [old, next] = [parse(amneziaValue(before, name)), parse(amneziaValue(after, name))];
    if (old === null || next === null) throw new RangeError(`Not a valid ${name}`);
    return old !== next;
  });
  return {
    fields: differing.map(({ name }) => name),
    cutsDevicesOff: differing.some(({ isShared }) => isShared),
  };
}
