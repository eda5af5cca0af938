import { useCallback, useState } from "react";
import { useDevices } from "../../../lib/i18n/devices.ts";
import { useStay } from "../../../lib/use-stay.ts";
import { Ask } from "../../../ui/ask.tsx";
import type { Made } from "./created.tsx";

/** The id of a config whose key exists only in this browser; null if the panel can send it again. */
export const keptHereAlone = (made: Made | null): string | null =>
  made === null || made.text === null ? null : made.config.id;

/**
 * Asks before closing the only file of a key that cannot be retrieved again, if it has not been taken yet. `id`: the config's;
 * null: there is none. Render `question` next to what shows the file. `text` is its wording.
 */
export function useOneTimeKey(id: string | null, onClose: () => void, text?: string) {
  const { created } = useDevices();
  const [taken, setTaken] = useState<string | null>(null);
  const [asking, setAsking] = useState(false);
  const isAtRisk = id !== null && taken !== id;
  useStay(isAtRisk);
  return {
    isAtRisk,
    close: () => (isAtRisk ? setAsking(true) : onClose()),
    onTaken: useCallback(() => setTaken(id), [id]),
    // In the page only while it asks: otherwise it would receive the very Escape that makes it ask.
    question: asking && (
      <Ask
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
