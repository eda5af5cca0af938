import { useRef } from "react";
import { explain } from "../lib/api.ts";
import { clubNow } from "../lib/club-clock.ts";
import { dayField } from "../lib/format.ts";
import { useStaffWords } from "../lib/i18n/staff.ts";
import { useSpeech } from "../lib/i18n/use-text.tsx";
import { saveFile } from "../lib/save-file.ts";
import { useCommand } from "../lib/use-command.ts";
import type { Column } from "./data-table.tsx";
import { useToast } from "./toasts.tsx";
import { useMaySave } from "./use-may-save.ts";

/** A second press within this means the first one. */
const REPEATED_MS = 400;

interface Wish<Row> {
  /** The file name's start, before the day. */
  name: string;
  columns: readonly Column<Row>[];
  page: (after: string | undefined) => Promise<{ rows: readonly Row[]; next: string | null }>;
}

/** Reads a whole list and downloads it as a file: all columns that have a text, also hidden ones. */
export function useCsv<Row>({ name, columns, page }: Wish<Row>) {
  const { table: words } = useStaffWords();
  const { text, language } = useSpeech();
  const toast = useToast();
  const maySave = useMaySave();
  const saving = useCommand({
    mutationFn: async () => {
      if (!(await maySave())) return;
      // Loaded when pressed, so that the list itself loads sooner.
      const { csvFile, everyRow } = await import("../lib/csv.ts");
      const written = columns.flatMap(({ title, fileTitle = title, text: says }) =>
        says ? [{ title: fileTitle, text: says }] : [],
      );
      const content = csvFile(written, await everyRow(page), language);
      saveFile(content, `${name}-${dayField(new Date(clubNow()))}.csv`);
    },
    onError: (error) => void toast("bad", explain(error, words.csvFailed, text.failure.silent)),
  });
  const begun = useRef(Number.NEGATIVE_INFINITY);
  return {
    busy: saving.isPending,
    // The file may be there before a second press.
    onClick: () => {
      if (performance.now() - begun.current < REPEATED_MS) return;
      begun.current = performance.now();
      saving.mutate();
    },
  };
}
