import {
  AMNEZIA_FIELDS,
  type AmneziaFault,
  type AmneziaField,
  amneziaFieldsOf,
  whyNotProfile,
} from "@krug/wireguard/amneziawg";
import type { Interface } from "../servers/index.ts";

type Amneziawg = NonNullable<Interface["amneziawg"]>;

/** By the keys of a config file, as they stand there. */
export type Texts = Readonly<Record<string, string>>;

export interface Entered {
  texts: Texts;
  /** Of the tunnel, in bytes; null: the default. */
  mtu: number | null;
}

/** The secret is not told; to check the others any will do. */
const SECRET = "header_protection_key";
const ANY_SECRET = "1".repeat(64);

const keyOf = (name: string) => AMNEZIA_FIELDS.find((field) => field.name === name)?.key ?? name;

/** The fields that can be changed, in the order of a file. */
export const shownFields = (version: Amneziawg["version"]): AmneziaField[] =>
  amneziaFieldsOf(version).filter(({ name }) => name !== SECRET);

/** What speaks against the texts; what fields have to do with each other is said once each is a value. */
function faultsOf(version: Amneziawg["version"], { texts, mtu }: Entered): AmneziaFault[] {
  const fields = shownFields(version).map((field) => ({
    field,
    value: field.fromText((texts[field.key] ?? "").trim()),
  }));
  const wrong = fields.filter(({ value }) => value === null);
  if (wrong.length > 0) return wrong.map(({ field }) => ({ field: field.key, reason: "not_a_value" }));
  const values = Object.fromEntries(fields.map(({ field, value }) => [field.name, value ?? field.initial]));
  const parameters = version === "2.0" ? values : { ...values, [SECRET]: ANY_SECRET };
  return whyNotProfile({ version, parameters }, mtu).map((fault) => ({
    ...fault,
    field: keyOf(fault.field),
    ...(fault.other && { other: keyOf(fault.other) }),
  }));
}

/** What speaks against the texts and did not before, by key: an interface that moved in may have had faults. */
export function newFaults(version: Amneziawg["version"], seen: Entered, now: Entered): Map<string, AmneziaFault> {
  const before = new Set(faultsOf(version, seen).map((fault) => JSON.stringify(fault)));
  const added = faultsOf(version, now).filter((fault) => !before.has(JSON.stringify(fault)));
  // The first of a field counts.
  return new Map(added.reverse().map((fault) => [fault.field, fault]));
}

/** Keys whose texts differ from what was seen. */
export const changedKeys = (seen: Texts, texts: Texts): string[] =>
  Object.keys(seen).filter((key) => seen[key] !== texts[key]?.trim());

/** Whether devices fall silent with these changed. */
export const silences = (keys: readonly string[]): boolean =>
  AMNEZIA_FIELDS.some(({ key, isShared }) => isShared && keys.includes(key));
