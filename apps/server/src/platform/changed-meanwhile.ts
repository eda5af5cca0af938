/**
 * The fields being changed whose values no longer match what the editor saw (`expected`), so two people who edit one thing
 * never overwrite each other unknowingly. Lists have no order, and dates are compared with moments however they are written.
 */
export function changedMeanwhile<Field extends string>(
  now: Readonly<Record<Field, unknown>>,
  input: Readonly<Partial<Record<NoInfer<Field>, unknown>>>,
  expected: Readonly<Partial<Record<NoInfer<Field>, unknown>>> | undefined,
): Field[] {
  if (expected === undefined) return [];
  const names = Object.keys(now) as Field[];
  return names.filter((name) => {
    const isConcerned = input[name] !== undefined && expected[name] !== undefined;
    return isConcerned && !isSame(expected[name], now[name]);
  });
}

const isSame = (seen: unknown, now: unknown) =>
  typeof seen === "string" && now instanceof Date ? Date.parse(seen) === now.getTime() : inText(seen) === inText(now);

const inText = (value: unknown) => JSON.stringify(Array.isArray(value) ? [...value].sort() : value);
