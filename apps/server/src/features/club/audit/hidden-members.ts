import type { Values } from "./table.ts";

const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;

/** Every id anywhere in the values. */
export const idsIn = (values: unknown): Set<string> => new Set(JSON.stringify(values).match(UUID) ?? []);

/** The values without members whom the reader may not see. */
export function without<Value>(values: Value, isSeen: (id: string) => boolean): Value {
  const hidden = [...idsIn(values)].filter((id) => !isSeen(id));
  if (hidden.length === 0) return values;
  const clean = (value: unknown): unknown => {
    if (typeof value === "string") return hidden.some((id) => value.includes(id)) ? null : value;
    if (Array.isArray(value)) return value.map(clean).filter((item) => item !== null);
    if (typeof value === "object" && value !== null)
      return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, clean(item)]));
    return value;
  };
  return clean(values) as Value;
}

/** Counts that include VIP members. */
const COUNTS: ReadonlySet<string> = new Set(["configs", "memberCount"]);
export const uncounted = (values: Values | null): Values | null =>
  values && Object.fromEntries(Object.entries(values).filter(([field]) => !COUNTS.has(field)));
