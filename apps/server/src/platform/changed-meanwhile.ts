/**
 * The fields that are to be changed and are no longer as the changer saw them (`expected`): two who edit one thing at once do
 * not undo each other's work without knowing it. Lists are compared as texts.
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
