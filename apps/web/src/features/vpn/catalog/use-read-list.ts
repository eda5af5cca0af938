import { useDebouncedValue } from "@mantine/hooks";
import { useCallback, useMemo, useRef } from "react";
import { type ReadList, readList } from "./addresses.ts";
import type { Entry } from "./queries.ts";
import { useInWorker } from "./use-in-worker.ts";

/** Read at each key; a longer one once typing pauses, in a worker. */
export const QUICK_LETTERS = 4_000;
const TYPING_MS = 300;

export interface Reader {
  /** A typed list as the panel will read it. */
  (text: string, allBut: boolean): ReadList;
  know(text: string, allBut: boolean, list: ReadList): void;
}

/** Reads a text once, however often it is asked. */
export function useReader(kind: Entry["kind"]): Reader {
  const known = useRef<{ text: string; allBut: boolean; list: ReadList } | null>(null);
  return useMemo(() => {
    const know: Reader["know"] = (text, allBut, list) => {
      known.current = { text, allBut, list };
    };
    const read = (text: string, allBut: boolean) => {
      const last = known.current;
      if (last?.text === text && last.allBut === allBut) return last.list;
      const list = readList(kind, text, allBut);
      know(text, allBut, list);
      return list;
    };
    return Object.assign(read, { know });
  }, [kind]);
}

/** The typed list, of a long one the latest long one that was read; null before the first. */
export function useReadList(kind: Entry["kind"], read: Reader, typed: string, allBut: boolean): ReadList | null {
  const [paused] = useDebouncedValue(typed, TYPING_MS);
  const isLong = typed.length > QUICK_LETTERS;
  const work = useMemo(
    () => (isLong && paused.length > QUICK_LETTERS ? ([kind, paused, allBut] as Parameters<typeof readList>) : null),
    [isLong, kind, paused, allBut],
  );
  const done = useInWorker("read", work);
  const shown = useRef<ReadList | null>(null);
  const pick = useCallback((): ReadList | null => {
    if (!isLong) return read(typed, allBut);
    const latest = shown.current;
    if (done === undefined || done.args !== work) return latest && latest.letters > QUICK_LETTERS ? latest : null;
    read.know(paused, allBut, done.answer);
    return done.answer;
  }, [isLong, read, typed, allBut, done, work, paused]);
  shown.current = pick();
  return shown.current;
}
