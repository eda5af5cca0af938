import { useState } from "react";

interface Chosen<Row> {
  list: string;
  rows: ReadonlyMap<string, Row>;
  isAll: boolean;
}

/**
 * The selection in a list. It persists across the list's pages and ends when another list is shown: `list` names the filters and
 * the order. `rows` are those of the page shown.
 */
export function useSelection<Row extends { id: string }>(list: string, rows: readonly Row[] = []) {
  const none: Chosen<Row> = { list, rows: new Map(), isAll: false };
  const [kept, setKept] = useState(none);
  const chosen = kept.list === list ? kept : none;
  const shown = new Map(rows.map((row) => [row.id, row]));
  const taken = chosen.isAll ? shown : chosen.rows;
  return {
    keys: new Set(taken.keys()) as ReadonlySet<string>,
    /** The selected rows as last read. If everything is selected, only those shown. */
    rows: [...taken.values()].map((row) => shown.get(row.id) ?? row),
    /** Everything that matches the filters, on all pages. */
    isAll: chosen.isAll,
    choose: (keys: ReadonlySet<string>) => {
      const next = [...keys].flatMap((key) => {
        const row = shown.get(key) ?? chosen.rows.get(key);
        return row ? [[key, row] as const] : [];
      });
      setKept({ list, rows: new Map(next), isAll: false });
    },
    chooseAll: () => setKept({ ...none, isAll: true }),
  };
}
