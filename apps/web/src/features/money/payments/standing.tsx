import { Button } from "@mantine/core";
import { clock, clubDay, longDay, writtenDay } from "../../../lib/format.ts";
import { useCircle } from "../../../lib/i18n/circle.ts";
import { useMemberText } from "../../../lib/i18n/member.ts";
import { useSpeech } from "../../../lib/i18n/use-text.tsx";
import { Banner } from "../../../ui/banner.tsx";
import { StatusStrip } from "../../../ui/status-strip.tsx";
import type { Me } from "../../access/auth/index.ts";
import classes from "./payment-dialog.module.css";
import type { OwnPayments } from "./queries.ts";
import type { Stage } from "./stage.ts";
import { monthText } from "./wording.ts";

interface Props {
  stage: Stage;
  own: OwnPayments;
  me: Me;
  nowMs: number;
  /** Opens a message to support with this text. */
  onAsk: (question: string) => void;
}

/** The state of the member's payment in one sentence, and who has to act. */
export function Standing({ stage, own, me, nowMs, onAsk }: Props) {
  const { payments } = useCircle();
  const { dashboard } = useMemberText();
  const { language } = useSpeech();
  const { claim, current, free, wouldExtendTo } = own;
  // The sentence ends here with its own full stop.
  const inSentence = (day: string) => day.replace(/[\s\u00a0]г\.$/, "");
  const day = (iso: string) => inSentence(writtenDay(clubDay(iso), nowMs, language));
  const until = me.subscriptionEnd === null ? null : payments.until(day(me.subscriptionEnd));
  const extending = wouldExtendTo === null ? null : payments.extends(day(wouldExtendTo));

  switch (stage) {
    case "free":
      return (
        <StatusStrip ring="done" title={payments.freeTitle}>
          {free && payments.free[free]}
        </StatusStrip>
      );
    case "waiting":
      return (
        <StatusStrip ring="wait" title={payments.waitingTitle}>
          {claim &&
            payments.waiting(
              inSentence(longDay(new Date(claim.claimedAt), nowMs, language)),
              clock(Date.parse(claim.claimedAt)),
              claim.months,
            )}
        </StatusStrip>
      );
    case "paid":
    case "notRequired":
      return (
        <StatusStrip ring="done" title={stage === "paid" ? payments.paidTitle : payments.settledTitle}>
          {until}
        </StatusStrip>
      );
    case "notSetUp":
      return (
        <Banner
          tone="move"
          title={payments.notSetUpTitle}
          action={
            <Button variant="outline" onClick={() => onAsk(payments.notSetUpQuestion)}>
              {dashboard.askSupport}
            </Button>
          }
        >
          {payments.notSetUp}
        </Banner>
      );
    case "declined":
      return (
        <Banner tone="broken" live title={payments.declinedTitle}>
          {claim?.reason && <p className={classes.reason}>{payments.reason(claim.reason)}</p>}
          <p>{payments.declined}</p>
        </Banner>
      );
    case "overdue":
      return (
        <Banner tone="move" title={payments.overdueTitle(monthText(current.period, language))}>
          {payments.overdue} {extending}
        </Banner>
      );
    case "ended":
      return (
        <Banner tone="move" title={payments.endedTitle}>
          {wouldExtendTo && payments.ended(day(wouldExtendTo))}
        </Banner>
      );
    case "running":
      return (
        <p>
          {me.subscriptionEnd && payments.running(day(me.subscriptionEnd))} {extending}
        </p>
      );
  }
}
