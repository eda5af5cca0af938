/**
 * The fields being changed whose values no longer match what the editor saw (`expected`), so two people who edit one thing
 * never overwrite each other unknowingly. Lists are compared as texts.
 */
export function changedMeanwhile<Field extends string>(
  now: Readonly<Record<Field, unknown>>,
  wish: Readonly<Partial<Record<NoInfer<Field>, unknown>>>,
  expected: Readonly<Partial<Record<NoInfer<Field>, unknown>>> | undefined,
): Field[] {
  if (expected === undefined) return [];
  const names = Object.keys(now) as Field[];
  return names.filter((name) => {
    const isConcerned = wish[name] !== undefined && expected[name] !== undefined;
    return isConcerned && JSON.stringify(expected[name]) !== JSON.stringify(now[name]);
  });
}
