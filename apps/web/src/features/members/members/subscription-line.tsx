import { ownSubscription } from "@krug/domain/subscription-label";
import { clubDay, leftText, writtenDay, writtenShortDay } from "../../../lib/format.ts";
import { useMemberText } from "../../../lib/i18n/member.ts";
import type { MemberText } from "../../../lib/i18n/ru.ts";
import { useSpeech } from "../../../lib/i18n/use-text.tsx";
import type { Me } from "../../access/auth/index.ts";
import classes from "./subscription-line.module.css";

const msOf = (written: string | null) => (written === null ? null : Date.parse(written));

/** The member's subscription in words (decisions, section 1). */
export function SubscriptionLine({ me, nowMs }: { me: Me; nowMs: number }) {
  const text = useMemberText();
  const { language } = useSpeech();
  const { dashboard } = text;
  const { isUnlimited, isTrial, isByReferral, graceUntil } = me;
  const lastDay = clubDay(me.subscriptionEnd ?? "");
  const own = ownSubscription(
    {
      isUnlimited,
      isTrial,
      isByReferral,
      isQuotaUsedUp: me.entitlement.reason === "quota",
      subscriptionEnd: msOf(me.subscriptionEnd),
      graceUntil: msOf(graceUntil),
    },
    nowMs,
  );

  switch (own.key) {
    case "unlimited":
      return <p className={classes.line}>{dashboard.unlimited}</p>;
    case "until":
    case "trial":
      return (
        <p className={classes.line}>
          {own.key === "trial" ? dashboard.trialUntil : dashboard.until}{" "}
          <strong>{writtenDay(lastDay, nowMs, language)}</strong>,{" "}
          <span className={classes.left}>{leftText(own.end, nowMs, text)}</span>
        </p>
      );
    case "grace": {
      const until = `${writtenDay(clubDay(graceUntil ?? ""), nowMs, language)}, ${graceUntil?.slice(11, 16)}`;
      return (
        <p className={classes.line}>
          {dashboard.expired(writtenShortDay(lastDay))}, <strong>{dashboard.grace(until)}</strong>
        </p>
      );
    }
    default:
      return (
        <p className={classes.line}>
          {dashboard.subscription} <strong>{wordOf(own.key, dashboard, lastDay)}</strong>
          {own.key === "referral" && <>, {dashboard.whileFriends}</>}
        </p>
      );
  }
}

function wordOf(
  key: "referral" | "expired" | "none",
  { endless, expired, none }: MemberText["dashboard"],
  lastDay: string,
) {
  if (key === "expired") return expired(writtenShortDay(lastDay));
  return key === "referral" ? endless : none;
}
