import { Sheet } from "../../ui/sheet.tsx";
import { Created, type Made } from "./created.tsx";

/** The next step for a device whose key was changed: its file is new. */
export function CreatedDialog({ made, onClose }: { made: Made; onClose: () => void }) {
  return <Sheet opened onClose={onClose} title={made.config.name} parts={<Created made={made} onDone={onClose} />} />;
}
