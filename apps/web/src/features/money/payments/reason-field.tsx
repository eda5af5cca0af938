import { Textarea } from "@mantine/core";
import { useStaffPaymentsWords } from "./staff-words.ts";

const MOST_REASON_CHARACTERS = 300;

/** What a member reads whose payment was not found. */
export function ReasonField({ reason, onChange }: { reason: string; onChange: (reason: string) => void }) {
  const { decline: words } = useStaffPaymentsWords();
  return (
    <Textarea
      label={words.reason}
      description={words.reasonHint}
      autosize
      minRows={2}
      maxRows={6}
      maxLength={MOST_REASON_CHARACTERS}
      value={reason}
      onChange={(event) => onChange(event.currentTarget.value)}
      data-autofocus
    />
  );
}

/** As the panel accepts it: one line. */
export const asReason = (typed: string): string | null => typed.replace(/\s+/g, " ").trim() || null;
