import { Sheet } from "../../../ui/sheet.tsx";
import { Created, type Made } from "./created.tsx";
import { keptHereAlone, useOneTimeKey } from "./use-one-time-key.tsx";

/** The next step for a device whose key was changed: its file is new. */
export function CreatedDialog({ made, onClose }: { made: Made; onClose: () => void }) {
  const { close, onTaken, question } = useOneTimeKey(keptHereAlone(made), onClose);
  return (
    <>
      <Sheet
        onClose={close}
        title={made.config.name}
        parts={<Created made={made} onDone={onClose} onTaken={onTaken} />}
      />
      {question}
    </>
  );
}
