import type { Why } from "@krug/contract/reasons";
import { useSpeech } from "../lib/i18n/use-text.tsx";
import classes from "./reason.module.css";

/** What a machine said, as a quotation: it speaks no language of ours. */
export const MachineSaid = ({ said }: { said: string }) => (
  <q className={classes.said} lang="en">
    {said}
  </q>
);

/** Why something is not as it should be, in the reader's language; below it what the machine itself said. */
export function Reason({ why }: { why: Why }) {
  const { language } = useSpeech();
  return (
    <>
      {why[language] !== "" && <span className={classes.why}>{why[language]}</span>}
      {why.said !== null && <MachineSaid said={why.said} />}
    </>
  );
}
