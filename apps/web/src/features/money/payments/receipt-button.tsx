import { PICTURE_MEDIA } from "@krug/domain/picture-rules";
import { Button, FileButton } from "@mantine/core";
import { IconPaperclip } from "@tabler/icons-react";
import { useRef, useState } from "react";
import { useCircle } from "../../../lib/i18n/circle.ts";
import { type ReceiptProblem, receiptOf } from "./receipt-picture.ts";

interface Props {
  label: string;
  busy?: boolean;
  onPicture: (url: string) => void;
  onProblem: (problem: ReceiptProblem | null) => void;
}

/** Lets the member choose a picture, and checks it before anything is sent. */
export function ReceiptButton({ label, busy = false, onPicture, onProblem }: Props) {
  const { payments } = useCircle();
  const [preparing, setPreparing] = useState(false);
  const reset = useRef<() => void>(null);
  const take = async (file: File | null) => {
    if (file === null) return;
    // Lets the same file be chosen again.
    reset.current?.();
    onProblem(null);
    setPreparing(true);
    const receipt = await receiptOf(file).catch(() => ({ problem: "notPicture" as const }));
    setPreparing(false);
    if ("url" in receipt) onPicture(receipt.url);
    else onProblem(receipt.problem);
  };
  return (
    <FileButton accept={PICTURE_MEDIA.join(",")} resetRef={reset} onChange={(file) => void take(file)}>
      {({ onClick }) => (
        <Button
          variant="outline"
          aria-disabled={preparing || busy || undefined}
          leftSection={<IconPaperclip size={20} stroke={1.6} aria-hidden="true" />}
          onClick={() => {
            if (!preparing && !busy) onClick();
          }}
        >
          {preparing ? payments.preparing : label}
        </Button>
      )}
    </FileButton>
  );
}
