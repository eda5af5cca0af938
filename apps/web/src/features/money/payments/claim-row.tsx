import { moneyText } from "@krug/domain/money-text";
import { Button } from "@mantine/core";
import { ageText, clubDay, moment, writtenDay } from "../../../lib/format.ts";
import { useSpeech } from "../../../lib/i18n/use-text.tsx";
import { Ring } from "../../../ui/ring.tsx";
import { StaffLink } from "../../club/staff/index.ts";
import classes from "./staff-payments.module.css";
import { type Claim, receiptAddress } from "./staff-queries.ts";
import { useStaffPaymentsWords } from "./staff-words.ts";

/** A claim's outcome while it is on the screen. */
export type Outcome = "running" | "paid" | "declined" | "elsewhere";

interface Props {
  claim: Claim;
  nowMs: number;
  /** Sorted by the subscription's end: the row says when that is instead of how long it has waited. */
  isByDue: boolean;
  outcome: Outcome | null;
  onConfirm: () => void;
  onDecline: () => void;
  onReceipt: () => void;
}

export function ClaimRow({ claim, nowMs, isByDue, outcome, onConfirm, onDecline, onReceipt }: Props) {
  const { queue: words, unlimitedMember, months: inWords } = useStaffPaymentsWords();
  const { text, language } = useSpeech();
  const { id, username, displayName, claimedAt, receipt, months, amount, currency, grantsUntil, isUnlimited } = claim;
  const day = (iso: string) => writtenDay(clubDay(iso), nowMs, language);
  const ending = () => {
    const { subscriptionEnd: end } = claim;
    if (end === null) return words.noEnd;
    return (Date.parse(end) > nowMs ? words.endsOn : words.endedOn)(day(end));
  };
  return (
    <li className={classes.claim} data-decided={(outcome !== null && outcome !== "running") || undefined}>
      {receipt === null ? (
        <span className={classes.noReceipt}>{words.noReceipt}</span>
      ) : (
        <button type="button" className={`${classes.thumb} k-focus`} onClick={onReceipt}>
          <img src={receiptAddress(id, receipt)} alt={words.receipt(displayName)} loading="lazy" />
        </button>
      )}
      <span className={classes.who}>
        <StaffLink to={`users/${username}`} className={classes.whoName}>
          {displayName} <span className={classes.login}>{username}</span>
        </StaffLink>
        <span className={classes.quiet} title={moment(Date.parse(claimedAt), language)}>
          {months > 1 && `${inWords(months)} · `}
          {amount !== null && `${moneyText(amount, currency, language)} · `}
          {isByDue && !isUnlimited ? ending() : ageText(Date.parse(claimedAt), nowMs, text.age)} ·{" "}
          {outcome === "elsewhere"
            ? words.elsewhere
            : isUnlimited
              ? unlimitedMember
              : grantsUntil
                ? words.extends(day(grantsUntil))
                : words.changesNothing}
        </span>
      </span>
      <span className={classes.claimActs}>
        <Decline name={displayName} outcome={outcome} onDecline={onDecline} />
        <Confirm name={displayName} outcome={outcome} onConfirm={isUnlimited ? null : onConfirm} />
      </span>
    </li>
  );
}

const off = { "aria-disabled": true, "data-disabled": true };

/** Both buttons stay in place, with the focus: a second press reaches neither the next person nor a missing button. */
function Decline({ name, outcome, onDecline }: { name: string; outcome: Outcome | null; onDecline: () => void }) {
  const { queue: words } = useStaffPaymentsWords();
  if (outcome === "paid" || outcome === "elsewhere") return <span className={classes.noAct} />;
  const isDone = outcome === "declined";
  return (
    <Button
      variant="subtle"
      aria-label={isDone ? words.declinedOf(name) : words.declineOf(name)}
      {...(outcome === null ? { onClick: onDecline } : off)}
    >
      {isDone ? words.declined : words.decline}
    </Button>
  );
}

/** `onConfirm` null: there is nothing to pay. */
function Confirm({
  name,
  outcome,
  onConfirm,
}: {
  name: string;
  outcome: Outcome | null;
  onConfirm: (() => void) | null;
}) {
  const { queue: words, unlimitedMember } = useStaffPaymentsWords();
  if (outcome === "declined" || outcome === "elsewhere") return <span className={classes.noAct} />;
  const isRunning = outcome === "running";
  const isDone = outcome === "paid";
  const label = isRunning ? words.confirming : isDone ? words.confirmedOf(name) : words.confirmOf(name);
  return (
    <Button
      variant="light"
      className={classes.confirm ?? ""}
      aria-label={label}
      {...(onConfirm === null
        ? { ...off, title: unlimitedMember }
        : outcome === null
          ? { onClick: onConfirm }
          : { ...off, "data-done": isDone || undefined })}
    >
      {outcome !== null && <Ring state={isDone ? "done" : "wait"} size={18} />}
      {isRunning ? words.confirming : isDone ? words.confirmed : words.confirm}
    </Button>
  );
}
