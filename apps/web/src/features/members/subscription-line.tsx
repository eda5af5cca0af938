import { clubDay, leftText, writtenDay, writtenShortDay } from "../../lib/format.ts";
import { useMemberText } from "../../lib/i18n/member.ts";
import { useSpeech } from "../../lib/i18n/use-text.tsx";
import type { Me } from "../auth/index.ts";
import classes from "./subscription-line.module.css";

/** The member's subscription in words (decisions, section 1). */
export function SubscriptionLine({ me, nowMs }: { me: Me; nowMs: number }) {
  const text = useMemberText();
  const { language } = useSpeech();
  const { dashboard } = text;
  const { reason } = me.entitlement;
  const end = me.subscriptionEnd ? Date.parse(me.subscriptionEnd) : null;
  const lastDay = clubDay(me.subscriptionEnd ?? "");

  if (reason === "unlimited") return <p className={classes.line}>{dashboard.unlimited}</p>;
  // A used up quota hides nothing here: it has its own line.
  const runs = end !== null && (reason === "subscription" || (reason === "quota" && end > nowMs));
  if (runs && end <= nowMs) {
    const { graceUntil } = me;
    const until = graceUntil && `${writtenDay(clubDay(graceUntil), nowMs, language)}, ${graceUntil.slice(11, 16)}`;
    return (
      <p className={classes.line}>
        {dashboard.expired(writtenShortDay(lastDay))}
        {until && (
          <>
            , <strong>{dashboard.grace(until)}</strong>
          </>
        )}
      </p>
    );
  }
  if (runs) {
    return (
      <p className={classes.line}>
        {me.isTrial ? dashboard.trialUntil : dashboard.until} <strong>{writtenDay(lastDay, nowMs, language)}</strong>,{" "}
        <span className={classes.left}>{leftText(end, nowMs, text)}</span>
      </p>
    );
  }
  const word =
    me.isByReferral || reason === "subscription"
      ? dashboard.endless
      : end !== null && end <= nowMs
        ? dashboard.expired(writtenShortDay(lastDay))
        : dashboard.none;
  return (
    <p className={classes.line}>
      {dashboard.subscription} <strong>{word}</strong>
      {me.isByReferral && <>, {dashboard.whileFriends}</>}
    </p>
  );
}
