import { Button } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { ApiError, api, explain } from "../../../lib/api.ts";
import { useCircle } from "../../../lib/i18n/circle.ts";
import { useMemberText } from "../../../lib/i18n/member.ts";
import { useCommand } from "../../../lib/use-command.ts";
import { FormMessage } from "../../../ui/form-message.tsx";
import { Sheet, SheetFooter } from "../../../ui/sheet.tsx";
import { SubmitButton } from "../../../ui/submit-button.tsx";
import { meQuery } from "../../access/auth/index.ts";
import classes from "./charter-dialog.module.css";
import { useReading } from "./use-reading.ts";

/** User-side, section 9. */
const COUNTDOWN_S = 3;

/** The club's charter: shown until it is read and accepted. The alternative is to sign out. */
export function CharterDialog({ onLeave }: { onLeave: () => void }) {
  const { charter } = useCircle();
  const reading = useReading(charter.sections.length);
  return (
    <Sheet
      onClose={null}
      wide
      title={charter.title}
      parts={
        <>
          <div className={classes.frame}>
            <nav ref={reading.contents} className={classes.contents} aria-label={charter.contents}>
              <ol>
                {charter.sections.map(({ title }, index) => (
                  <li key={title}>
                    <button
                      type="button"
                      className={`${classes.jump} k-focus`}
                      aria-current={reading.section === index ? "location" : undefined}
                      onClick={() => reading.jump(index)}
                    >
                      {title}
                    </button>
                  </li>
                ))}
              </ol>
            </nav>
            <section
              ref={reading.text}
              className={classes.text}
              aria-label={charter.title}
              // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by the keyboard
              tabIndex={0}
              data-autofocus
              onScroll={reading.look}
            >
              {charter.sections.map(({ title, text }, index) => (
                <div key={title} ref={reading.part(index)} className={classes.section}>
                  <h3 className={classes.title} tabIndex={-1}>
                    {title}
                  </h3>
                  {text.map((paragraph) => (
                    <p key={paragraph}>{paragraph}</p>
                  ))}
                </div>
              ))}
            </section>
          </div>
          <SheetFooter>
            <Acceptance wholeSeen={reading.wholeSeen} onLeave={onLeave} />
          </SheetFooter>
        </>
      }
    />
  );
}

function Acceptance({ wholeSeen, onLeave }: { wholeSeen: boolean; onLeave: () => void }) {
  const { charter } = useCircle();
  const { dashboard, failure } = useMemberText();
  const left = useCountdown(COUNTDOWN_S);
  const queryClient = useQueryClient();
  const accept = useCommand({
    mutationFn: () => api("POST /users/accept-rules"),
    onSuccess: (me) => queryClient.setQueryData(meQuery.queryKey, me),
  });
  const bad =
    accept.error instanceof ApiError
      ? charter.failed
      : accept.error && explain(accept.error, charter.failed, failure.silent);
  return (
    <>
      <FormMessage bad={bad} />
      <div className={classes.acceptance}>
        <div className={classes.words}>
          {left > 0 && <p role="timer">{charter.read(left)}</p>}
          <div role="status">{left === 0 && <p>{charter.thanks}</p>}</div>
        </div>
        <Button variant="subtle" onClick={onLeave}>
          {dashboard.logout}
        </Button>
        <div className={classes.place}>
          <p role="status" className={classes.scroll}>
            {left === 0 && !wholeSeen && charter.scroll}
          </p>
          {left === 0 && wholeSeen && (
            <SubmitButton
              type="button"
              fullWidth
              busy={accept.isPending}
              label={charter.accept}
              working={charter.saving}
              onClick={() => accept.mutate()}
            />
          )}
        </div>
      </div>
    </>
  );
}

/** Whole seconds from `from` down to 0. */
function useCountdown(from: number): number {
  const [left, setLeft] = useState(from);
  useEffect(() => {
    if (left === 0) return;
    const timer = setTimeout(() => setLeft(left - 1), 1000);
    return () => clearTimeout(timer);
  }, [left]);
  return left;
}
