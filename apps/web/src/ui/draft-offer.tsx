import { Button } from "@mantine/core";
import { useGoingOn } from "../lib/i18n/going-on.ts";
import { type Draft, useDraft } from "../lib/use-draft.ts";
import classes from "./draft-offer.module.css";

interface Props {
  draft: Draft;
  isSending: boolean;
  /** The draft was filled in. */
  onGoOn?: (() => void) | undefined;
}

/** Stores a form's draft, and offers the one that an earlier page left. */
export function DraftOffer({ draft, isSending, onGoOn }: Props) {
  const words = useGoingOn();
  const goOn = useDraft(draft, isSending);
  if (!goOn) return null;
  const take = () => {
    goOn();
    onGoOn?.();
  };
  return (
    <Button variant="outline" className={classes.offer ?? ""} onClick={take}>
      {words.goOn}
    </Button>
  );
}
