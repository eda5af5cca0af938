import { randomInt } from "node:crypto";
import type { TunnelAnswer } from "@krug/contract/vpn/interfaces";
import {
  AMNEZIA_FIELDS,
  type AmneziaFault,
  type AmneziaProfile,
  type AmneziaVersion,
  amneziaFieldsOf,
  amneziaValue,
  whyNotProfile,
} from "@krug/wireguard/amneziawg";
import { type AmneziaPreset, generateProfile } from "@krug/wireguard/amneziawg-generator";
import type { TunnelParameters } from "@krug/wireguard/protocol";
import { refuse } from "../../../platform/refusal.ts";
import type { SealedColumn } from "../../../platform/sealed-columns.ts";
import type { Seal, Sealing } from "../../../platform/sealing.ts";
import type { InterfaceRow } from "./table.ts";

/* An AmneziaWG interface's profile: JSON in `parameters`, with its one secret parameter stored separately. */

const SECRET = "header_protection_key";
const headerKeyPlace = (id: string) => `interfaces.header_key:${id}`;

export const sealedInProfiles: SealedColumn[] = [
  { table: "interfaces", column: "sealed_header_key", key: ["id"], place: ({ id = "" }) => headerKeyPlace(id) },
];

type ProfileColumns = Pick<InterfaceRow, "type" | "parameters" | "sealed_header_key">;

export const PLAIN: ProfileColumns = { type: "wireguard", parameters: "{}", sealed_header_key: null };

export function profileColumns(seal: Seal, id: string, { version, parameters }: AmneziaProfile): ProfileColumns {
  const { [SECRET]: key, ...open } = parameters;
  return {
    type: "amneziawg",
    parameters: JSON.stringify({ version, parameters: open }),
    sealed_header_key: key === undefined ? null : seal(headerKeyPlace(id), key),
  };
}

/** A new one. */
export const drawProfile = ({ version, preset }: { version: AmneziaVersion; preset: AmneziaPreset }): AmneziaProfile =>
  generateProfile(version, preset, randomInt);

/** Without its secret; null for plain WireGuard. */
export const shownProfile = ({ type, parameters }: Pick<InterfaceRow, "type" | "parameters">): AmneziaProfile | null =>
  type === "wireguard" ? null : (JSON.parse(parameters) as AmneziaProfile);

/** Null for plain WireGuard. @throws if its secret cannot be opened */
export function profileOf(
  sealing: Pick<Sealing, "open">,
  row: Pick<InterfaceRow, "id" | "type" | "parameters" | "sealed_header_key">,
): AmneziaProfile | null {
  const shown = shownProfile(row);
  if (shown === null || row.sealed_header_key === null) return shown;
  const key = sealing.open(headerKeyPlace(row.id), row.sealed_header_key);
  return { ...shown, parameters: { ...shown.parameters, [SECRET]: key } };
}

/** Null if its secret cannot be opened. */
export function parametersOf(sealing: Pick<Sealing, "open">, row: InterfaceRow): TunnelParameters | null {
  try {
    return profileOf(sealing, row)?.parameters ?? {};
  } catch {
    return null;
  }
}

/** Some fields in one line, as in a config file. None of them may be the secret. */
export const textOf = (profile: AmneziaProfile, names: readonly string[]): string =>
  AMNEZIA_FIELDS.filter(({ name }) => names.includes(name) && name !== SECRET)
    .map(({ key, name, toText }) => `${key} = ${toText(amneziaValue(profile, name))}`)
    .join(", ");

/** By the keys of a config file, as written there, without its secret; null for plain WireGuard. */
export function shownTexts(row: Pick<InterfaceRow, "type" | "parameters">): Record<string, string> | null {
  const profile = shownProfile(row);
  if (profile === null) return null;
  return Object.fromEntries(
    amneziaFieldsOf(profile.version)
      .filter(({ name }) => name !== SECRET)
      .map(({ key, name, toText }) => [key, toText(amneziaValue(profile, name))]),
  );
}

/** The type of tunnel its devices need an app for; WireGuard if the interface no longer exists. */
export function tunnelOf(row: Pick<InterfaceRow, "type" | "parameters"> | undefined): TunnelAnswer {
  const version = row === undefined ? null : (shownProfile(row)?.version ?? null);
  return { type: version === null ? "wireguard" : "amneziawg", version };
}

/**
 * `texts`: fields as in a config file, by their keys there. `mtu`: the tunnel's before and after. Existing faults stay: they may
 * have been imported.
 * @throws Refusal interface.parameter_invalid
 */
export function changedProfile(
  before: AmneziaProfile,
  texts: Readonly<Record<string, string>>,
  mtu: { before: number | null; after: number | null },
): AmneziaProfile {
  const changed = Object.entries(texts).map(([key, text]) => {
    const field = AMNEZIA_FIELDS.find((each) => each.key === key) ?? refuseParameter({ field: key, reason: "unknown" });
    const value = field.fromText(text.trim()) ?? refuseParameter({ field: key, reason: "not_a_value" });
    return [field.name, value] as const;
  });
  const after = { ...before, parameters: { ...before.parameters, ...Object.fromEntries(changed) } };
  refuseUnfit(after, mtu.after, whyNotProfile(before, mtu.before));
  return after;
}

/** @throws Refusal interface.parameter_invalid with the first fault that is not among `known` */
export function refuseUnfit(profile: AmneziaProfile, mtu: number | null, known: readonly AmneziaFault[] = []): void {
  const before = new Set(known.map((fault) => JSON.stringify(fault)));
  const fault = whyNotProfile(profile, mtu).find((each) => !before.has(JSON.stringify(each)));
  if (fault !== undefined) refuseParameter(shownFault(fault));
}

/** By the keys of a config file. */
export const shownFault = ({ field, other, ...rest }: AmneziaFault) => ({
  field: keyOf(field),
  ...(other === undefined ? {} : { other: keyOf(other) }),
  ...rest,
});

const refuseParameter = (details: {
  field: string;
  reason: string;
  other?: string;
  limit?: number | undefined;
}): never => refuse("interface.parameter_invalid", details);

const keyOf = (name: string) => AMNEZIA_FIELDS.find((each) => each.name === name)?.key ?? name;
