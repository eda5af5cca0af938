import { Button, VisuallyHidden } from "@mantine/core";
import { useState } from "react";
import { Sheet } from "./sheet.tsx";
import classes from "./shown-secret.module.css";

interface Props {
  words: Record<"title" | "lead" | "copy" | "copied" | "copyFailed" | "done", string>;
  secret: string;
  onDone: () => void;
}

/** A secret that is shown only once: the dialog stays until the person confirms that they have saved it. */
export function ShownSecret({ words: say, secret, onDone }: Props) {
  const [copied, setCopied] = useState<boolean | null>(null);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(secret);
      setCopied(true);
    } catch {
      setCopied(false);
    }
  };
  const told = copied === null ? "" : copied ? say.copied : say.copyFailed;
  return (
    <Sheet
      onClose={null}
      title={say.title}
      footer={
        <Button fullWidth size="lg" onClick={onDone}>
          {say.done}
        </Button>
      }
    >
      <p>{say.lead}</p>
      <code className={classes.shown} translate="no">
        {secret}
      </code>
      <Button variant="outline" onClick={() => void copy()}>
        {told || say.copy}
      </Button>
      <VisuallyHidden role="status">{told}</VisuallyHidden>
    </Sheet>
  );
}
