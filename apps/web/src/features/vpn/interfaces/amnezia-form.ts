import {
  AMNEZIA_FIELDS,
  type AmneziaFault,
  type AmneziaField,
  amneziaFieldsOf,
  whyNotProfile,
} from "@krug/wireguard/amneziawg";
import type { Interface } from "../servers/index.ts";

type Amneziawg = NonNullable<Interface["amneziawg"]>;

/** Keyed and written as in a config file. */
export type Texts = Readonly<Record<string, string>>;

export interface Entered {
  texts: Texts;
  /** The tunnel's, in bytes; null: the default. */
  mtu: number | null;
}

/** The secret is not sent to the page. Any value will do to check the others. */
const SECRET = "header_protection_key";
const ANY_SECRET = "1".repeat(64);

const keyOf = (name: string) => AMNEZIA_FIELDS.find((field) => field.name === name)?.key ?? name;

/** The fields that can be changed, in a file's order. */
export const shownFields = (version: Amneziawg["version"]): AmneziaField[] =>
  amneziaFieldsOf(version).filter(({ name }) => name !== SECRET);

/** What is wrong with the texts. Relations between fields are checked once each is a value. */
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

/** New faults of the texts, by key: an interface that moved in may already have had faults. */
export function newFaults(version: Amneziawg["version"], seen: Entered, now: Entered): Map<string, AmneziaFault> {
  const before = new Set(faultsOf(version, seen).map((fault) => JSON.stringify(fault)));
  const added = faultsOf(version, now).filter((fault) => !before.has(JSON.stringify(fault)));
  // A field's first fault counts.
  return new Map(added.reverse().map((fault) => [fault.field, fault]));
}

/** Keys whose texts differ from what was seen. */
export const changedKeys = (seen: Texts, texts: Texts): string[] =>
  Object.keys(seen).filter((key) => seen[key] !== texts[key]?.trim());

/** Whether changing these cuts devices off. */
export const silences = (keys: readonly string[]): boolean =>
  AMNEZIA_FIELDS.some(({ key, isShared }) => isShared && keys.includes(key));
