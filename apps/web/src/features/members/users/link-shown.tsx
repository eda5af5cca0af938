import { Button } from "@mantine/core";
import { IconSend } from "@tabler/icons-react";
import { moment } from "../../../lib/format.ts";
import { useSpeech } from "../../../lib/i18n/use-text.tsx";
import { CopyButton } from "../../../ui/copy-button.tsx";
import classes from "./users.module.css";
import { useUsersWords } from "./words.ts";

/** A one-time link to hand over: shown only once, to copy or to send with the device's share sheet. */
export function LinkShown({ lead, link, expiresAt }: { lead: string; link: string; expiresAt: string }) {
  const { link: words } = useUsersWords();
  const { language } = useSpeech();
  const canShare = typeof navigator.share === "function";
  return (
    <>
      <p>{lead}</p>
      <output className={classes.link} aria-label={words.label}>
        {link}
      </output>
      <p className={classes.until}>{words.until(moment(Date.parse(expiresAt), language))}</p>
      <div className={classes.handOver}>
        <CopyButton text={link} label={words.copy} />
        {canShare && (
          <Button
            variant="outline"
            leftSection={<IconSend size={18} stroke={1.6} aria-hidden="true" />}
            onClick={() => void navigator.share({ url: link }).catch(() => {})}
          >
            {words.share}
          </Button>
        )}
      </div>
    </>
  );
}
