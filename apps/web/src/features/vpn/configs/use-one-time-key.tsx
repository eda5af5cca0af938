import { useCallback, useState } from "react";
import { useMemberText } from "../../../lib/i18n/member.ts";
import { useStay } from "../../../lib/use-stay.ts";
import { Ask } from "../../../ui/ask.tsx";
import type { Made } from "./created.tsx";

/** Of a config whose key exists in this browser alone; null where the panel can give it again. */
export const keptHereAlone = (made: Made | null): string | null =>
  made === null || made.text === null ? null : made.config.id;

/**
 * Asks before the one file with a key is closed that nobody can have again, and that has not been taken yet. `id`: whose file it is;
 * null: there is none. `question` stands beside what shows it; `text` is what it says.
 */
export function useOneTimeKey(id: string | null, onClose: () => void, text?: string) {
  const { created } = useMemberText();
  const [taken, setTaken] = useState<string | null>(null);
  const [asking, setAsking] = useState(false);
  const isAtRisk = id !== null && taken !== id;
  useStay(isAtRisk);
  return {
    isAtRisk,
    close: () => (isAtRisk ? setAsking(true) : onClose()),
    onTaken: useCallback(() => setTaken(id), [id]),
    // In the page only while it asks: one that waits there would hear the very Escape that made it ask.
    question: asking && (
      <Ask
        opened
        onClose={() => setAsking(false)}
        onConfirm={onClose}
        title={created.leaveTitle}
        text={text ?? created.leaveText}
        confirm={created.leave}
        working={created.leave}
        busy={false}
        bad={null}
        danger
      />
    ),
  };
}
