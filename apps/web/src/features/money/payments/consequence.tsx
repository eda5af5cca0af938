import { IconArrowRight } from "@tabler/icons-react";
import { clubNow } from "../../../lib/club-clock.ts";
import { clubDay, writtenDay } from "../../../lib/format.ts";
import { useSpeech } from "../../../lib/i18n/use-text.tsx";
import classes from "./staff-payments.module.css";
import type { MemberPayments, Settable } from "./staff-queries.ts";
import { useStaffPaymentsWords } from "./staff-words.ts";
import { StatusWords } from "./status.tsx";

interface Props {
  current: MemberPayments["current"];
  to: Settable;
  effect: MemberPayments["choices"][number]["effect"];
}

/** The month's status and the subscription, before and after. */
export function Consequence({ current, to, effect }: Props) {
  const { set: words, list } = useStaffPaymentsWords();
  const { language } = useSpeech();
  const nowMs = clubNow();
  const runs = (end: string | null) => end !== null && Date.parse(end) > nowMs;
  const inWords = (end: string | null) => {
    if (end === null) return words.noneYet;
    const day = writtenDay(clubDay(end), nowMs, language);
    return runs(end) ? words.untilDay(day) : words.ended(day);
  };
  const claim = current.claimId === null ? null : to === "overdue" ? words.declinesClaim : words.confirmsClaim;
  return (
    <div>
      <dl className={classes.consequence}>
        <div>
          <dt>{list.status}</dt>
          <dd>
            <StatusWords payment={{ ...current, claimId: null, isUnlimited: false }} ring />
            <span className={classes.becomes}>
              <IconArrowRight size={18} stroke={1.6} aria-label={words.until} />
              <StatusWords payment={{ ...current, claimId: null, isUnlimited: false, status: to }} ring />
            </span>
          </dd>
        </div>
        <div>
          <dt>{words.subscription}</dt>
          <dd>
            {effect === null ? (
              words.same
            ) : (
              <>
                <span className={classes.quiet}>{inWords(effect.from)}</span>
                <span className={classes.becomes}>
                  <IconArrowRight size={18} stroke={1.6} aria-label={words.until} />
                  <b>{inWords(effect.until)}</b>
                </span>
              </>
            )}
          </dd>
        </div>
      </dl>
      <ul className={classes.consequences}>
        {effect?.kind === "take back" && <li>{words.takenBack(effect.months)}</li>}
        {effect?.kind === "take back" && runs(effect.from) && !runs(effect.until) && (
          <li className={classes.bad}>{words.closes}</li>
        )}
        {effect?.kind === "grant" && !runs(effect.from) && <li>{words.opens}</li>}
        {claim && <li>{claim}</li>}
      </ul>
    </div>
  );
}
