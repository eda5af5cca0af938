import { useCallback, useState } from "react";
import { useMemberText } from "../../lib/i18n/member.ts";
import { useStay } from "../../lib/use-stay.ts";
import { Ask } from "../../ui/ask.tsx";
import type { Made } from "./created.tsx";

/**
 * Asks before a dialog is closed over a key that exists in this browser alone and has not been taken yet. `question` stands
 * beside the dialog.
 */
export function useOneTimeKey(made: Made | null, onClose: () => void) {
  const { created } = useMemberText();
  const [taken, setTaken] = useState<string | null>(null);
  const [asking, setAsking] = useState(false);
  const id = made?.config.id ?? null;
  const isAtRisk = made !== null && made.text !== null && taken !== id;
  useStay(isAtRisk);
  return {
    close: () => (isAtRisk ? setAsking(true) : onClose()),
    onTaken: useCallback(() => setTaken(id), [id]),
    // In the page only while it asks: one that waits there would hear the very Escape that made it ask.
    question: asking && (
      <Ask
        opened
        onClose={() => setAsking(false)}
        onConfirm={onClose}
        title={created.leaveTitle}
        text={created.leaveText}
        confirm={created.leave}
        working={created.leave}
        busy={false}
        bad={null}
        danger
      />
    ),
  };
}
