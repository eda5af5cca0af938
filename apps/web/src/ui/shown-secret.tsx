import { Button, VisuallyHidden } from "@mantine/core";
import { useState } from "react";
import { ShownOnce } from "./shown-once.tsx";
import classes from "./shown-secret.module.css";

interface Props {
  words: Record<"title" | "lead" | "copy" | "copied" | "copyFailed" | "done", string>;
  secret: string;
  onDone: () => void;
}

/** A secret that is shown this once, with a button to copy it. */
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
    <ShownOnce words={say} onDone={onDone}>
      <code className={classes.shown}>{secret}</code>
      <Button variant="outline" onClick={() => void copy()}>
        {told || say.copy}
      </Button>
      <VisuallyHidden role="status">{told}</VisuallyHidden>
    </ShownOnce>
  );
}
