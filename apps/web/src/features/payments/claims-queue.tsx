import { Button } from "@mantine/core";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { api, explain } from "../../lib/api.ts";
import { clubNow } from "../../lib/club-clock.ts";
import { ageText, clubDay, moment, writtenDay } from "../../lib/format.ts";
import { useSpeech } from "../../lib/i18n/use-text.tsx";
import { useCommand } from "../../lib/use-command.ts";
import { lazyDialog } from "../../ui/lazy-dialog.tsx";
import { LoadFailed } from "../../ui/load-failed.tsx";
import { Ring } from "../../ui/ring.tsx";
import { useToast } from "../../ui/toasts.tsx";
import { useViewed } from "../staff/index.ts";
import { CLUB_PAYMENTS } from "./queries.ts";
import classes from "./staff-payments.module.css";
import { type Claim, queueQuery, receiptAddress } from "./staff-queries.ts";
import { useStaffPaymentsWords } from "./staff-words.ts";

const ReceiptDialog = lazyDialog(() => import("./receipt-dialog.tsx").then(({ ReceiptDialog }) => ReceiptDialog));
const DeclineDialog = lazyDialog(() => import("./decline-dialog.tsx").then(({ DeclineDialog }) => DeclineDialog));

const SHOWN_FIRST = 4;
const SHOWN_AT_MOST = 200;

/** Members who say that they have paid: beside the single button is what confirming gives (decisions, section 5). */
export function ClaimsQueue({ nowMs }: { nowMs: number }) {
  const { queue: words, loadFailed } = useStaffPaymentsWords();
  const { viewedRole } = useViewed();
  const queryClient = useQueryClient();
  const [limit, setLimit] = useState(SHOWN_FIRST);
  const [open, setOpen] = useState<{ dialog: "receipt" | "decline"; claim: Claim } | null>(null);
  const queue = useQuery(queueQuery(limit, viewedRole));
  const confirm = useConfirm();
  const refresh = () => void queryClient.invalidateQueries({ queryKey: CLUB_PAYMENTS });
  if (queue.isError && !queue.data)
    return <LoadFailed title={loadFailed} error={queue.error} onRetry={() => void queue.refetch()} />;
  const { rows = [], total } = queue.data ?? {};
  const count = total ?? rows.length;
  if (rows.length === 0 && open === null) return null;
  return (
    <>
      {rows.length > 0 && (
        <section className={classes.queue} aria-labelledby="claims">
          <h2 id="claims" className={classes.queueTitle}>
            {words.title} <span className={classes.quiet}>{count}</span>
          </h2>
          <ul>
            {rows.map((claim) => (
              <ClaimRow
                key={claim.id}
                claim={claim}
                nowMs={nowMs}
                busy={confirm.isPending && confirm.variables?.id === claim.id}
                onConfirm={() => confirm.isPending || confirm.mutate(claim)}
                onDecline={() => setOpen({ dialog: "decline", claim })}
                onReceipt={() => setOpen({ dialog: "receipt", claim })}
              />
            ))}
          </ul>
          {count > rows.length &&
            (limit === SHOWN_FIRST ? (
              <Button variant="subtle" onClick={() => setLimit(SHOWN_AT_MOST)}>
                {words.all(count)}
              </Button>
            ) : (
              <p className={classes.queueMore}>{words.first(rows.length)}</p>
            ))}
        </section>
      )}

      {open?.dialog === "receipt" && (
        <ReceiptDialog
          claim={open.claim}
          busy={confirm.isPending}
          onConfirm={() => confirm.mutate(open.claim, { onSuccess: () => setOpen(null) })}
          onDecline={() => setOpen({ dialog: "decline", claim: open.claim })}
          onClose={() => setOpen(null)}
        />
      )}
      {open?.dialog === "decline" && (
        <DeclineDialog
          claim={open.claim}
          onClose={() => setOpen(null)}
          onDone={() => {
            setOpen(null);
            refresh();
          }}
        />
      )}
    </>
  );
}

/** Sets the month to paid, as it was seen; if someone was quicker, it says so. */
function useConfirm() {
  const { set, setFailed } = useStaffPaymentsWords();
  const { text, language } = useSpeech();
  const toast = useToast();
  const queryClient = useQueryClient();
  return useCommand({
    mutationFn: ({ userId, period, status, subscriptionEnd }: Claim) =>
      api("PUT /admin/payments/status", {
        body: { userId, period, status: "paid", expected: { status, subscriptionEnd } },
      }),
    onSuccess: ({ displayName, subscriptionEnd }) => {
      const day = subscriptionEnd && writtenDay(clubDay(subscriptionEnd), clubNow(), language);
      void toast("good", `${set.done.paid(displayName)}${day ? `, ${set.doneUntil(day)}` : ""}`);
    },
    onError: (error) => void toast("bad", explain(error, setFailed, text.failure.silent)),
    onSettled: () => queryClient.invalidateQueries({ queryKey: CLUB_PAYMENTS }),
  });
}

interface RowProps {
  claim: Claim;
  nowMs: number;
  busy: boolean;
  onConfirm: () => void;
  onDecline: () => void;
  onReceipt: () => void;
}

function ClaimRow({ claim, nowMs, busy, onConfirm, onDecline, onReceipt }: RowProps) {
  const { queue: words, unlimitedMember } = useStaffPaymentsWords();
  const { text, language } = useSpeech();
  const { id, username, displayName, claimedAt, receipt, grantsUntil, isUnlimited } = claim;
  return (
    <li className={classes.claim}>
      {receipt === null ? (
        <span className={classes.noReceipt}>{words.noReceipt}</span>
      ) : (
        <button type="button" className={`${classes.thumb} k-focus`} onClick={onReceipt}>
          <img src={receiptAddress(id, receipt)} alt={words.receipt(displayName)} loading="lazy" />
        </button>
      )}
      <span className={classes.who}>
        <Link to="/admin/$" params={{ _splat: `users/${username}` }} className={`${classes.whoName} k-focus`}>
          {displayName}
        </Link>
        <span className={classes.quiet} title={moment(Date.parse(claimedAt), language)}>
          {ageText(Date.parse(claimedAt), nowMs, text.age)} ·{" "}
          {isUnlimited
            ? unlimitedMember
            : grantsUntil
              ? words.extends(writtenDay(clubDay(grantsUntil), nowMs, language))
              : words.changesNothing}
        </span>
      </span>
      <span className={classes.claimActs}>
        <Button variant="subtle" aria-label={words.declineOf(displayName)} onClick={onDecline}>
          {words.decline}
        </Button>
        <Button
          variant="light"
          aria-label={busy ? words.confirming : words.confirmOf(displayName)}
          {...(isUnlimited
            ? { "aria-disabled": true, "data-disabled": true, title: unlimitedMember }
            : { onClick: onConfirm })}
        >
          {busy && <Ring state="wait" size={18} />}
          {busy ? words.confirming : words.confirm}
        </Button>
      </span>
    </li>
  );
}
