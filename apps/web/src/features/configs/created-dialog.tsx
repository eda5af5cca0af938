import { Sheet } from "../../ui/sheet.tsx";
import { CreatedFooter, CreatedNext, type Made, useFirstHandshake } from "./created.tsx";

/** The next step for a device whose file is new: after a creation or a change of key. */
export function CreatedDialog({
  made,
  onClose,
  onAnother,
}: {
  made: Made;
  onClose: () => void;
  onAnother?: () => void;
}) {
  const connectedAt = useFirstHandshake(made);
  return (
    <Sheet
      opened
      onClose={onClose}
      title={made.config.name}
      footer={
        <CreatedFooter
          made={made}
          connected={connectedAt !== null}
          onDone={onClose}
          {...(onAnother ? { onAnother } : {})}
        />
      }
    >
      <CreatedNext made={made} connectedAt={connectedAt} />
    </Sheet>
  );
}
