import type { Api } from "@krug/contract/api";
import { Button } from "@mantine/core";
import { fullDay } from "../../../lib/format.ts";
import { useSpeech } from "../../../lib/i18n/use-text.tsx";
import { CopyButton } from "../../../ui/copy-button.tsx";
import { SheetBody, SheetFooter } from "../../../ui/sheet.tsx";
import classes from "./moving-device.module.css";
import { useMovingWords } from "./moving-words.ts";

export type Invited = Api["POST /admin/servers/{id}/moving-in"]["answer"]["invited"][number];

/** The links of those who became members: shown only once, each to copy, or all for a table. */
export function InvitedLinks({ invited, onDone }: { invited: readonly Invited[]; onDone: () => void }) {
  const words = useMovingWords();
  const { language } = useSpeech();
  const all = invited.map(({ username, displayName, link }) => `${username}\t${displayName}\t${link}`).join("\n");
  const [first] = invited;
  return (
    <>
      <SheetBody>
        <p>{words.linksLead(first === undefined ? "" : fullDay(new Date(first.expiresAt), language))}</p>
        <CopyButton text={all} label={words.copyAll} size="lg" />
        {invited.map(({ id, username, displayName, link }) => (
          <section key={id} className={classes.device} aria-label={displayName}>
            <p className={classes.name}>{displayName}</p>
            <p className={classes.about}>{username}</p>
            <CopyButton text={link} label={words.copy} />
          </section>
        ))}
      </SheetBody>
      <SheetFooter>
        <Button fullWidth size="lg" onClick={onDone}>
          {words.done}
        </Button>
      </SheetFooter>
    </>
  );
}
