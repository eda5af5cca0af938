import { Button } from "@mantine/core";
import { IconCopy, IconSend } from "@tabler/icons-react";
import { useEffect, useState } from "react";
import { useCircle } from "../../../lib/i18n/circle.ts";
import { useText } from "../../../lib/i18n/use-text.tsx";
import { FormMessage } from "../../../ui/form-message.tsx";
import { inviteLink } from "./invitation.ts";
import classes from "./invite-dialog.module.css";
import { LinkQr } from "./link-qr.tsx";

const COPIED_SHOWN_MS = 3000;

/** Shares the code and its link: by the device's own sharing, if any, and by the clipboard. */
export function HandOver({ code }: { code: string }) {
  const { friends } = useCircle();
  const { common } = useText();
  const [copied, setCopied] = useState<boolean | null>(null);
  const url = inviteLink(code);
  const text = friends.message(common.club, code);
  const canShare = typeof navigator.share === "function";

  useEffect(() => {
    if (!copied) return;
    const timer = setTimeout(() => setCopied(null), COPIED_SHOWN_MS);
    return () => clearTimeout(timer);
  }, [copied]);

  const copy = async () => {
    try {
      await navigator.clipboard.writeText(`${text} ${url}`);
      setCopied(true);
    } catch {
      setCopied(false);
    }
  };
  const share = async () => {
    try {
      await navigator.share({ text, url });
    } catch (error) {
      // Closing the list of applications is a change of mind. After any other failure the clipboard is used.
      if (!(error instanceof DOMException && error.name === "AbortError")) await copy();
    }
  };
  return (
    <>
      <div className={classes.actions}>
        {canShare && (
          <Button leftSection={<IconSend size={20} stroke={1.6} aria-hidden="true" />} onClick={() => void share()}>
            {friends.share}
          </Button>
        )}
        <Button
          variant={canShare ? "outline" : "filled"}
          leftSection={<IconCopy size={20} stroke={1.6} aria-hidden="true" />}
          onClick={() => void copy()}
        >
          {copied ? friends.copied : friends.copy}
        </Button>
      </div>
      <span className="k-spoken" role="status">
        {copied ? friends.copied : ""}
      </span>
      {copied === false && <FormMessage bad={friends.copyFailed} />}
      <LinkQr code={code} words={friends} />
    </>
  );
}
