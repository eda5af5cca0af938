import { useForm } from "@mantine/form";
import { useLayoutEffect, useState } from "react";
import { type Draft, draftOf } from "./use-draft.ts";

const isSame = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other);

/**
 * A form of fields that somebody else may change while it is open. Untouched fields follow the panel. Touched ones are kept, and
 * `meanwhile` names those that somebody else has changed since, to be shown before saving.
 * @param current  the fields as the panel has them
 */
export function useEditing<Fields extends object>(current: Fields) {
  type Name = keyof Fields & string;
  const form = useForm<Fields & Record<string, unknown>>({
    initialValues: current as Fields & Record<string, unknown>,
    // The last save's errors stay until the next one.
    clearInputErrorOnChange: false,
  });
  const values = form.values as Fields;
  const [seen, setSeen] = useState(current);
  const [meanwhile, setMeanwhile] = useState<Name[]>([]);
  const names = Object.keys(current) as Name[];
  const isStale = !isSame(seen, current);
  // Before the browser paints, so that nobody sees or sends a mixture of the two.
  useLayoutEffect(() => {
    if (!isStale) return;
    const theirs = names.filter((name) => !isSame(seen[name], current[name]));
    const untouched = theirs.filter((name) => isSame(values[name], seen[name]));
    const both = theirs.filter((name) => !untouched.includes(name) && !isSame(values[name], current[name]));
    form.setValues(Object.fromEntries(untouched.map((name) => [name, current[name]])) as Partial<typeof form.values>);
    setMeanwhile([...new Set([...meanwhile, ...both])]);
    setSeen(current);
  });
  const changed = names.filter((name) => !isSame(values[name], isStale ? seen[name] : current[name]));
  const set = (change: Partial<Fields>) => form.setValues(change as Partial<typeof form.values>);
  return {
    form,
    values,
    set,
    /** Fields that differ from what the panel has. */
    changed,
    meanwhile: meanwhile.filter((name) => changed.includes(name)),
    /** What a reload must not lose, to be stored at `place`. */
    draft: (place: string): Draft => draftOf(place, values, isStale ? seen : current, set),
    reset() {
      form.setValues(current as Partial<typeof form.values>);
      setSeen(current);
      setMeanwhile([]);
    },
  };
}
