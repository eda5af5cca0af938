import { Button, type ButtonProps, VisuallyHidden } from "@mantine/core";
import { IconCheck, IconCopy } from "@tabler/icons-react";
import { useEffect, useState } from "react";
import { useStaffWords } from "../lib/i18n/staff.ts";

const SHOWN_MS = 3000;

/** Copies a text to the clipboard and confirms it on the button itself. */
export function CopyButton({ text, label, ...look }: { text: string; label?: string } & ButtonProps) {
  const { twoFactor: words } = useStaffWords();
  const [copied, setCopied] = useState<boolean | null>(null);
  useEffect(() => {
    if (copied === null) return;
    const timer = setTimeout(() => setCopied(null), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [copied]);
  const copy = () =>
    navigator.clipboard.writeText(text).then(
      () => setCopied(true),
      () => setCopied(false),
    );
  const said = copied === null ? "" : copied ? words.copied : words.copyFailed;
  const Sign = copied ? IconCheck : IconCopy;
  return (
    <>
      <Button
        variant="outline"
        leftSection={<Sign size={18} stroke={1.6} aria-hidden="true" />}
        {...look}
        onClick={() => void (navigator.clipboard ? copy() : setCopied(false))}
      >
        {said || (label ?? words.copy)}
      </Button>
      <VisuallyHidden role="status">{said}</VisuallyHidden>
    </>
  );
}
