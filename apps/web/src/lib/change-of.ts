/** Lists of one kind of thing have no order. */
const inText = (value: unknown) => JSON.stringify(Array.isArray(value) ? [...value].sort() : value);

/**
 * What differs from what was seen, together with what was seen of it (`expected`), as the panel takes a change; without a key
 * nothing differs.
 */
export function changeOf<Wished extends object>(
  seen: Readonly<Wished>,
  wished: Wished,
): Partial<Wished> & { expected?: Partial<Wished> } {
  const names = (Object.keys(wished) as (keyof Wished)[]).filter((name) => inText(wished[name]) !== inText(seen[name]));
  const of = (values: Wished) => Object.fromEntries(names.map((name) => [name, values[name]])) as Partial<Wished>;
  return names.length === 0 ? {} : { ...of(wished), expected: of(seen) };
}
