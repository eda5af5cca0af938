import type { Why } from "@krug/contract/reasons";
import { useSpeech } from "../lib/i18n/use-text.tsx";
import classes from "./reason.module.css";

/** A machine's message, as a quotation: it is in no language of ours. */
export const MachineSaid = ({ said }: { said: string }) => (
  <q className={classes.said} lang="en">
    {said}
  </q>
);

/** Starts with a word, not with the name of a program or a setting, whose case matters. */
const IS_SENTENCE = /^(?:[а-яё]|(?:the|an?|another|no|nothing|nobody|this|its)\b)/u;

/** Why something is wrong, in the reader's language. Below it the machine's own message. */
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
