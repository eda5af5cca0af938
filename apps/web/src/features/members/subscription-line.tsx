import { DAY_MS } from "@krug/domain/moment";
import { longDay, shortDay } from "../../lib/format.ts";
import { useSpeech } from "../../lib/i18n/use-text.tsx";
import type { Me } from "../auth/index.ts";
import classes from "./subscription-line.module.css";

/** The member's subscription in words (decisions, section 1). */
export function SubscriptionLine({ me, nowMs }: { me: Me; nowMs: number }) {
  const { text, language } = useSpeech();
  const { dashboard } = text;
  const { reason } = me.entitlement;
  const end = me.subscriptionEnd ? new Date(me.subscriptionEnd) : null;

  if (reason === "unlimited") return <p className={classes.line}>{dashboard.unlimited}</p>;
  if (reason === "subscription" && end) {
    const left = Math.floor((end.getTime() - nowMs) / DAY_MS);
    return (
      <p className={classes.line}>
        {dashboard.until} <strong>{longDay(end, nowMs, language)}</strong>,{" "}
        <span className={classes.left}>{left < 1 ? dashboard.lastDay : dashboard.daysLeft(left)}</span>
      </p>
    );
  }
  const word =
    reason === "referral" || reason === "subscription"
      ? dashboard.endless
      : end && end.getTime() <= nowMs
        ? dashboard.expired(shortDay(end))
        : dashboard.none;
  return (
    <p className={classes.line}>
      {dashboard.subscription} <strong>{word}</strong>
    </p>
  );
}
