import { ActionIcon, Button } from "@mantine/core";
import { IconChevronDown, IconChevronUp } from "@tabler/icons-react";
import { useQueryClient } from "@tanstack/react-query";
import { useRef, useState } from "react";
import { api, explain } from "../../../lib/api.ts";
import { keepForTab, keptForTab } from "../../../lib/browser-storage.ts";
import { clubNow } from "../../../lib/club-clock.ts";
import { clubDay, writtenDay } from "../../../lib/format.ts";
import { useStaffWords } from "../../../lib/i18n/staff.ts";
import { useSpeech } from "../../../lib/i18n/use-text.tsx";
import { useCommand } from "../../../lib/use-command.ts";
import { lazyDialog } from "../../../ui/lazy-dialog.tsx";
import { SearchField } from "../../../ui/list-tools.tsx";
import { LoadFailed } from "../../../ui/load-failed.tsx";
import { useToast } from "../../../ui/toasts.tsx";
import { useViewed } from "../../club/staff/index.ts";
import { newAct, useUndoToast } from "../../club/undo/index.ts";
import { ClaimRow, type Outcome } from "./claim-row.tsx";
import { CLUB_PAYMENTS } from "./queries.ts";
import classes from "./staff-payments.module.css";
import type { Claim } from "./staff-queries.ts";
import { useStaffPaymentsWords } from "./staff-words.ts";
import { PAGE_SIZE, useQueuePage } from "./use-queue-page.ts";

const ReceiptDialog = lazyDialog(() => import("./receipt-dialog.tsx").then(({ ReceiptDialog }) => ReceiptDialog));
const DeclineDialog = lazyDialog(() => import("./decline-dialog.tsx").then(({ DeclineDialog }) => DeclineDialog));

const ConfirmManyDialog = lazyDialog(() =>
  import("./confirm-many-dialog.tsx").then(({ ConfirmManyDialog }) => ConfirmManyDialog),
);

const FOLDED = "krug.claims-folded";

/** Members who report a payment. Next to the single button is what confirming gives (decisions, section 5). */
export function ClaimsQueue({ nowMs }: { nowMs: number }) {
  const { queue: words, many, loadFailed } = useStaffPaymentsWords();
  const { table } = useStaffWords();
  const { viewedRole } = useViewed();
  const queryClient = useQueryClient();
  const [q, setQ] = useState("");
  const [isFolded, setFolded] = useState(() => keptForTab(FOLDED) === "1");
  const [isMany, setIsMany] = useState(false);
  const [open, setOpen] = useState<{ dialog: "receipt" | "decline"; claim: Claim } | null>(null);
  const [decided, setDecided] = useState<ReadonlyMap<string, Outcome>>(new Map());
  const decideMany = (ids: readonly string[], outcome: Outcome | null) =>
    setDecided((before) => {
      const after = new Map(before);
      for (const id of ids) outcome === null ? after.delete(id) : after.set(id, outcome);
      return after;
    });
  const decide = (id: string, outcome: Outcome | null) => decideMany([id], outcome);
  const confirm = useConfirm(decide);
  const { queue, rows, total, isWaiting, onPrevious, onNext, toFirst, sort, onSort } = useQueuePage(q, viewedRole);
  const list = useRef<HTMLUListElement>(null);
  /** A page with fewer rows keeps its height: otherwise what is below would slide under a finger. */
  const [height, setHeight] = useState(0);
  const turn = (to: () => void) => {
    setHeight(list.current?.offsetHeight ?? 0);
    to();
  };
  if (queue.isError && !queue.data)
    return <LoadFailed title={loadFailed} error={queue.error} onRetry={() => void queue.refetch()} />;
  const outcomeOf = ({ id }: Claim): Outcome | null => decided.get(id) ?? (isWaiting(id) ? null : "elsewhere");
  const isEmpty = rows?.length === 0;
  return (
    <>
      <section className={classes.queue} aria-labelledby="claims" aria-busy={queue.isPlaceholderData}>
        <div className={classes.queueHead}>
          <h2 id="claims" className={classes.queueTitle}>
            {words.title} <span className={classes.quiet}>{rows === undefined ? "" : total}</span>
          </h2>
          {isEmpty && q === "" ? (
            <span className={classes.quiet}>{words.nobody}</span>
          ) : (
            <>
              <ActionIcon
                className={classes.fold ?? ""}
                aria-label={isFolded ? words.unfold : words.fold}
                title={isFolded ? words.unfold : words.fold}
                aria-expanded={!isFolded}
                onClick={() => {
                  keepForTab(FOLDED, isFolded ? "0" : "1");
                  setFolded(!isFolded);
                }}
              >
                {isFolded ? <IconChevronDown size={20} stroke={1.6} /> : <IconChevronUp size={20} stroke={1.6} />}
              </ActionIcon>
              {!isFolded && (q !== "" || total > PAGE_SIZE) && (
                <SearchField
                  label={words.search}
                  value={q}
                  onChange={(typed) => {
                    toFirst();
                    setQ(typed);
                  }}
                />
              )}
              {!isFolded && (sort === "due" || total > PAGE_SIZE) && (
                <Button
                  variant={sort === "due" ? "light" : "outline"}
                  aria-pressed={sort === "due"}
                  onClick={() => onSort(sort === "due" ? "claimed" : "due")}
                >
                  {words.dueFirst}
                </Button>
              )}
              {!isFolded && total > 1 && (
                <Button variant="subtle" data-flush="phone" onClick={() => setIsMany(true)}>
                  {many.open}
                </Button>
              )}
            </>
          )}
        </div>
        {!isFolded && (
          <>
            <ul ref={list} style={height > 0 ? { minHeight: height } : undefined}>
              {rows?.map((claim) => (
                <ClaimRow
                  key={claim.id}
                  claim={claim}
                  nowMs={nowMs}
                  isByDue={sort === "due"}
                  outcome={outcomeOf(claim)}
                  onConfirm={() => confirm.mutate(claim)}
                  onDecline={() => setOpen({ dialog: "decline", claim })}
                  onReceipt={() => setOpen({ dialog: "receipt", claim })}
                />
              ))}
              {isEmpty && q !== "" && <li className={classes.queueMore}>{words.nothing}</li>}
            </ul>
            {(onPrevious || onNext) && (
              <div className={classes.queuePages}>
                {onPrevious && (
                  <Button variant="subtle" onClick={() => turn(onPrevious)}>
                    {table.previous}
                  </Button>
                )}
                <Button
                  variant="subtle"
                  {...(onNext ? { onClick: () => turn(onNext) } : { "aria-disabled": true, "data-disabled": true })}
                >
                  {words.more}
                </Button>
              </div>
            )}
          </>
        )}
      </section>

      {isMany && <ConfirmManyDialog onDecided={decideMany} onClose={() => setIsMany(false)} />}
      {open?.dialog === "receipt" && (
        <ReceiptDialog
          claim={open.claim}
          decision={{
            busy: decided.get(open.claim.id) === "running",
            onConfirm: () => confirm.mutate(open.claim, { onSuccess: () => setOpen(null) }),
            onDecline: () => setOpen({ dialog: "decline", claim: open.claim }),
          }}
          onClose={() => setOpen(null)}
        />
      )}
      {open?.dialog === "decline" && (
        <DeclineDialog
          claim={open.claim}
          onClose={() => setOpen(null)}
          onDone={() => {
            decide(open.claim.id, "declined");
            setOpen(null);
            void queryClient.invalidateQueries({ queryKey: CLUB_PAYMENTS });
          }}
        />
      )}
    </>
  );
}

/** Sets the month to paid, as it was seen. If somebody was quicker, it says so. */
function useConfirm(decide: (id: string, outcome: Outcome | null) => void) {
  const { set, setFailed } = useStaffPaymentsWords();
  const { text, language } = useSpeech();
  const toast = useToast();
  const undoToast = useUndoToast();
  const queryClient = useQueryClient();
  return useCommand({
    mutationFn: async ({ id, userId, period, months, status, subscriptionEnd }: Claim) => {
      const act = newAct();
      const expected = { status, subscriptionEnd, claimId: id };
      const body = { userId, period, months, status: "paid" as const, act, expected };
      return { act, ...(await api("PUT /admin/payments/status", { body })) };
    },
    onMutate: ({ id }) => decide(id, "running"),
    onSuccess: ({ displayName, subscriptionEnd, act }, { id }) => {
      decide(id, "paid");
      const day = subscriptionEnd && writtenDay(clubDay(subscriptionEnd), clubNow(), language);
      const message = `${set.done.paid(displayName)}${day ? `, ${set.doneUntil(day)}` : ""}`;
      void undoToast({ of: "payments", act, message, onUndone: () => decide(id, null) });
    },
    onError: (error, { id }) => {
      decide(id, null);
      void toast("bad", explain(error, setFailed, text.failure.silent));
    },
    onSettled: () => queryClient.invalidateQueries({ queryKey: CLUB_PAYMENTS }),
  });
}
