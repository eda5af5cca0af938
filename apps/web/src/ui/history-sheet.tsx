import type { UseQueryResult } from "@tanstack/react-query";
import { Loading } from "./loading.tsx";
import { Segments } from "./segments.tsx";
import { Sheet } from "./sheet.tsx";

const SPANS = ["day", "month"] as const;
export type Span = (typeof SPANS)[number];

interface Props<History> {
  title: string;
  words: Record<"span" | "loading" | "failed" | Span, string>;
  span: Span;
  onSpan: (span: Span) => void;
  history: UseQueryResult<History>;
  /** What is known without the history. */
  above?: React.ReactNode;
  onClose: () => void;
  children: (history: History) => React.ReactNode;
}

/** The last day's or month's history, in a dialog. */
export function HistorySheet<History>({
  title,
  words,
  span,
  onSpan,
  history,
  above,
  onClose,
  children,
}: Props<History>) {
  return (
    <Sheet onClose={onClose} title={title} wide>
      {above}
      <Segments
        label={words.span}
        labelHidden
        value={span}
        onChange={onSpan}
        choices={SPANS.map((value) => ({ value, label: words[value] }))}
      />
      <Loading of={history} failed={words.failed} label={words.loading} room={420} />
      {history.data && children(history.data)}
    </Sheet>
  );
}
