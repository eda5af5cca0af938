import type { Why } from "@krug/contract/reasons";
import { useSpeech } from "../lib/i18n/use-text.tsx";
import classes from "./reason.module.css";

/** What a machine said, as a quotation: it speaks no language of ours. */
export const MachineSaid = ({ said }: { said: string }) => (
  <q className={classes.said} lang="en">
    {said}
  </q>
);

/** Begins with a word and not with the name of a program or a setting, whose letters count. */
const IS_SENTENCE = /^(?:[а-яё]|(?:the|an?|another|no|nothing|nobody|this|its)\b)/u;

/** Why something is not as it should be, in the reader's language; below it what the machine itself said. */
export function Reason({ why }: { why: Why }) {
  const { language } = useSpeech();
  return (
    <>
      {why[language] !== "" && (
        <span className={classes.why} data-sentence={IS_SENTENCE.test(why[language]) || undefined}>
          {why[language]}
        </span>
      )}
      {why.said !== null && <MachineSaid said={why.said} />}
    </>
  );
}
