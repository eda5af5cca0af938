import { Button } from "@mantine/core";
import { IconDownload, IconPrinter } from "@tabler/icons-react";
import { useState } from "react";
import { clubNow } from "../../../lib/club-clock.ts";
import { csvFile } from "../../../lib/csv.ts";
import { dayField, fullDay } from "../../../lib/format.ts";
import { useSpeech } from "../../../lib/i18n/use-text.tsx";
import { saveFile } from "../../../lib/save-file.ts";
import { CopyButton } from "../../../ui/copy-button.tsx";
import { Line, Lines } from "../../../ui/lines.tsx";
import { SheetBody, SheetFooter } from "../../../ui/sheet.tsx";
import { useMaySave } from "../../../ui/use-may-save.ts";
import classes from "./invited-links.module.css";
import { useInvitedWords } from "./invited-words.ts";
import { type Invited, PrintedLinks } from "./printed-links.tsx";

/** How many links are shown at first, and how many more at a time. */
const SHOWN = 30;
/** Of more people somebody prints no cards, and drawing their codes would take long. */
const MOST_PRINTED = 500;

/** The links of those who became members: shown only once, to copy, to save for a mail merge, or to print. */
export function InvitedLinks({ invited, onDone }: { invited: readonly Invited[]; onDone: () => void }) {
  const words = useInvitedWords();
  const { language } = useSpeech();
  const maySave = useMaySave();
  const [shown, setShown] = useState(SHOWN);
  const [printing, setPrinting] = useState(0);
  const all = invited.map(({ username, displayName, link }) => `${username}\t${displayName}\t${link}`).join("\n");
  const [first] = invited;
  const until = first === undefined ? "" : fullDay(new Date(first.expiresAt), language);
  const save = async () => {
    if (!(await maySave())) return;
    const columns = [
      { title: words.username, text: ({ username }: Invited) => username },
      { title: words.name, text: ({ displayName }: Invited) => displayName },
      { title: words.link, text: ({ link }: Invited) => link },
      { title: words.until, text: ({ expiresAt }: Invited) => dayField(new Date(expiresAt)) },
    ];
    const content = csvFile(columns, invited, language);
    const name = `${words.file}-${dayField(new Date(clubNow()))}.csv`;
    saveFile(content, name);
  };
  return (
    <>
      <SheetBody>
        <div className={classes.column}>
          <p>{words.lead(until)}</p>
          <div className={classes.acts}>
            <CopyButton text={all} label={words.copyAll} />
            <Button
              variant="outline"
              leftSection={<IconDownload size={20} stroke={1.6} aria-hidden="true" />}
              onClick={() => void save()}
            >
              {words.save}
            </Button>
            {invited.length <= MOST_PRINTED && "print" in window && (
              <Button
                variant="outline"
                leftSection={<IconPrinter size={20} stroke={1.6} aria-hidden="true" />}
                onClick={() => setPrinting(printing + 1)}
              >
                {words.print}
              </Button>
            )}
          </div>
          <Lines>
            {invited.slice(0, shown).map(({ id, username, displayName, link }) => (
              <Line
                key={id}
                act={
                  <span className={classes.copy}>
                    <CopyButton text={link} label={words.copy} aria-label={words.copyOf(displayName)} />
                  </span>
                }
              >
                <b>{displayName}</b>
                <span>{username}</span>
              </Line>
            ))}
          </Lines>
          {invited.length > shown && (
            <Button variant="outline" size="lg" onClick={() => setShown(shown + SHOWN)}>
              {words.more(invited.length - shown)}
            </Button>
          )}
        </div>
      </SheetBody>
      <SheetFooter>
        <Button fullWidth size="lg" onClick={onDone}>
          {words.done}
        </Button>
      </SheetFooter>
      {printing > 0 && <PrintedLinks key={printing} invited={invited} until={until} />}
    </>
  );
}
