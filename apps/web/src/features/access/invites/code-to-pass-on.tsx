import { Button } from "@mantine/core";
import { IconSend } from "@tabler/icons-react";
import { useText } from "../../../lib/i18n/use-text.tsx";
import { CopyButton } from "../../../ui/copy-button.tsx";
import { ShownCode } from "../../../ui/shown-code.tsx";
import { inviteLink } from "./invitation.ts";
import { LinkQr } from "./link-qr.tsx";
import classes from "./staff-invites.module.css";
import { useStaffInvitesWords } from "./staff-words.ts";

/** A code in the boxes in which it will be typed, to copy by itself or as an invitation with its link, to share, or to scan. */
export function CodeToPassOn({ code }: { code: string }) {
  const { made: words } = useStaffInvitesWords();
  const { common } = useText();
  const url = inviteLink(code);
  const text = words.message(common.club, code);
  const canShare = typeof navigator.share === "function";
  return (
    <div className={classes.passOn}>
      <ShownCode code={code} />
      <div className={classes.handOver}>
        {canShare && (
          <Button
            leftSection={<IconSend size={18} stroke={1.6} aria-hidden="true" />}
            onClick={() => void navigator.share({ text, url }).catch(() => {})}
          >
            {words.share}
          </Button>
        )}
        <CopyButton text={code} label={words.copy} />
        <CopyButton text={`${text} ${url}`} label={words.copyText} />
        <LinkQr code={code} words={words} />
      </div>
    </div>
  );
}
