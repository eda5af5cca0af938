import { Button } from "@mantine/core";
import { useSpeech } from "../../../lib/i18n/use-text.tsx";
import { SheetActions, SheetBody, SheetFooter } from "../../../ui/sheet.tsx";
import { LeftOut } from "./left-out.tsx";
import { useManyWords } from "./many-words.ts";
import type { Left } from "./one-by-one.ts";
import classes from "./staff-payments.module.css";
import type { Claim } from "./staff-queries.ts";
import { sumsOf } from "./sums.ts";

/** What one press did. */
export interface Decided {
  how: "confirmed" | "declined";
  done: readonly Claim[];
  left: readonly Left[];
}

interface Props {
  decided: Decided;
  /** How many still wait. */
  rest: number;
  onRest: () => void;
  onClose: () => void;
}

/** What a press did, and the way on to those that remain. */
export function DecidedMany({ decided: { how, done, left }, rest, onRest, onClose }: Props) {
  const words = useManyWords();
  const { language } = useSpeech();
  return (
    <>
      <SheetBody>
        <p role="status">
          {how === "declined"
            ? words.declined(done.length)
            : [words.done(done.length), ...sumsOf(done, language)].join(", ")}
        </p>
        {left.length > 0 && <h3 className={classes.heading}>{words.left(left.length)}</h3>}
        <LeftOut left={left} />
      </SheetBody>
      <SheetFooter>
        <SheetActions>
          {rest > 0 && (
            <Button variant="outline" size="lg" onClick={onRest}>
              {words.rest(rest)}
            </Button>
          )}
          <Button size="lg" data-autofocus onClick={onClose}>
            {words.close}
          </Button>
        </SheetActions>
      </SheetFooter>
    </>
  );
}
