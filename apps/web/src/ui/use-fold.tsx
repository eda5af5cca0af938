import { Button } from "@mantine/core";
import { useState } from "react";
import { makeWords } from "../lib/i18n/words.ts";
import { fold as ru } from "./fold-words-ru.ts";

const useFoldWords = makeWords(ru, () => import("./fold-words-en.ts").then(({ fold }) => fold));

/** More rows than this push away what is below them. */
const MOST = 10;

/** The first rows of a list that may have hundreds, those that need attention before the others, and a button for the rest. */
export function useFold<Row>(
  rows: readonly Row[],
  needsAttention: (row: Row) => boolean,
): { shown: readonly Row[]; more: React.ReactNode } {
  const words = useFoldWords();
  const [isWhole, setWhole] = useState(false);
  if (rows.length <= MOST) return { shown: rows, more: null };
  const inOrder = [...rows].sort((one, other) => Number(needsAttention(other)) - Number(needsAttention(one)));
  return {
    shown: isWhole ? inOrder : inOrder.slice(0, MOST),
    more: (
      <Button
        variant="subtle"
        data-flush="always"
        style={{ justifySelf: "start" }}
        aria-expanded={isWhole}
        onClick={() => setWhole(!isWhole)}
      >
        {isWhole ? words.fewer : words.all(rows.length)}
      </Button>
    ),
  };
}
