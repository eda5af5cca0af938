import { useState } from "react";

const isSame = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other);

/**
 * Fields that are edited while they may change under one's hands. What was not touched follows the panel; what was is kept,
 * and `meanwhile` names those of them that somebody else has changed since, which the person is to be told before he saves.
 */
export function useEditing<Fields extends object>(current: Fields) {
  type Name = keyof Fields & string;
  const [seen, setSeen] = useState(current);
  const [edits, setEdits] = useState<Partial<Fields>>({});
  const [meanwhile, setMeanwhile] = useState<Name[]>([]);
  const names = Object.keys(current) as Name[];
  if (!isSame(seen, current)) {
    const others = names.filter(
      (name) => name in edits && !isSame(seen[name], current[name]) && !isSame(edits[name], current[name]),
    );
    setSeen(current);
    setMeanwhile([...new Set([...meanwhile, ...others])]);
  }
  const changed = names.filter((name) => name in edits && !isSame(edits[name], current[name]));
  return {
    form: { ...current, ...edits },
    set: (change: Partial<Fields>) => setEdits({ ...edits, ...change }),
    /** Fields that are otherwise than the panel has them. */
    changed,
    meanwhile: meanwhile.filter((name) => changed.includes(name)),
    reset() {
      setEdits({});
      setMeanwhile([]);
    },
  };
}
