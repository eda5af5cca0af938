import { readStatement } from "@krug/domain/bank-statement";
import { type Claimed, matchStatement } from "@krug/domain/match-statement";
import { hundredthsOf } from "@krug/domain/money";
import { Button } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useCallback, useMemo, useState } from "react";
import { api, explain } from "../../../lib/api.ts";
import { useSpeech } from "../../../lib/i18n/use-text.tsx";
import { useCommand } from "../../../lib/use-command.ts";
import { FormMessage } from "../../../ui/form-message.tsx";
import { FormParts } from "../../../ui/form-sheet.tsx";
import { newAct, useUndoToast } from "../../club/undo/index.ts";
import { ClaimGroup } from "./claim-group.tsx";
import { groupsOf } from "./claim-groups.ts";
import { type Decided, DecidedMany } from "./decided-many.tsx";
import { DeclineMany } from "./decline-many.tsx";
import { useManyWords } from "./many-words.ts";
import { type Left, oneByOne } from "./one-by-one.ts";
import { CLUB_PAYMENTS } from "./queries.ts";
import { ReceiptDialog } from "./receipt-dialog.tsx";
import classes from "./staff-payments.module.css";
import type { Claim } from "./staff-queries.ts";
import { useStaffPaymentsWords } from "./staff-words.ts";
import { StatementPart } from "./statement-part.tsx";
import { sumsOf } from "./sums.ts";

export interface DecideManyProps {
  claims: readonly Claim[];
  /** How many wait, also beyond those listed. */
  waiting: number | null;
  /** For the list behind; null: it waits again. */
  onDecided: (ids: readonly string[], outcome: "paid" | "declined" | null) => void;
  onClose: () => void;
}

/**
 * Claims are chosen, then confirmed or declined, and those that remain follow, until none does. The list and what a bank's list says
 * about it stay as they were: with fewer claims, a payment that was found already would fit a namesake.
 */
export function DecideMany({ claims, waiting, onDecided, onClose }: DecideManyProps) {
  const { setFailed } = useStaffPaymentsWords();
  const words = useManyWords();
  const { text, language } = useSpeech();
  const queryClient = useQueryClient();
  const undoToast = useUndoToast();
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const [gone, setGone] = useState<ReadonlySet<string>>(new Set());
  const [reached, setReached] = useState(0);
  const [pasted, setPasted] = useState("");
  const [match, setMatch] = useState(() => matchStatement([], []));
  const [isDeclining, setIsDeclining] = useState(false);
  const [decided, setDecided] = useState<Decided | null>(null);
  const [receipt, setReceipt] = useState<Claim | null>(null);
  const open = useMemo(() => claims.filter(({ isUnlimited }) => !isUnlimited), [claims]);
  const groups = useMemo(
    () =>
      groupsOf(
        claims.filter(({ id }) => !gone.has(id)),
        match,
      ),
    [claims, gone, match],
  );
  const choose = useCallback(
    (ids: readonly string[], isChosen: boolean) =>
      setChosen((before) => {
        const after = new Set(before);
        for (const id of ids) isChosen ? after.add(id) : after.delete(id);
        return after;
      }),
    [],
  );
  const paste = (typed: string) => {
    const found = matchStatement(readStatement(typed), open.map(asClaimed));
    setPasted(typed);
    setMatch(found);
    setChosen(new Set([...found.matched.keys()].filter((id) => !gone.has(id))));
  };
  const marked = claims.filter(({ id }) => chosen.has(id));
  const payable = marked.filter(({ isUnlimited }) => !isUnlimited);

  const after = (some: readonly Claim[], how: Decided["how"], { done, left }: { done: number[]; left: Left[] }) => {
    setGone((before) => new Set([...before, ...some.map(({ id }) => id)]));
    setChosen(new Set());
    setReached(0);
    setIsDeclining(false);
    const decided = { how, done: done.flatMap((place) => some[place] ?? []), left };
    setDecided(decided);
    onDecided(
      decided.done.map(({ id }) => id),
      how === "confirmed" ? "paid" : "declined",
    );
    return decided;
  };
  const confirming = useCommand({
    mutationFn: async (some: readonly Claim[]) => {
      const act = newAct();
      const wishes = some.map(({ id, displayName, userId, period, months, status, subscriptionEnd }) => {
        const expected = { status, subscriptionEnd, claimId: id };
        const body = { userId, period, months, act, status: "paid" as const, expected };
        return { name: displayName, why: null, run: () => api("PUT /admin/payments/status", { body }) };
      });
      const explained = (error: unknown) => explain(error, setFailed, text.failure.silent);
      return { act, outcome: await oneByOne(wishes, { explain: explained, onReached: setReached }) };
    },
    onSuccess: ({ act, outcome }, some) => {
      const { done } = after(some, "confirmed", outcome);
      const undone = () => {
        setGone((before) => new Set([...before].filter((id) => !done.some((claim) => claim.id === id))));
        setDecided(null);
        onDecided(
          done.map(({ id }) => id),
          null,
        );
      };
      if (done.length > 0) void undoToast({ of: "payments", act, message: words.done(done.length), onUndone: undone });
    },
    onSettled: () => queryClient.invalidateQueries({ queryKey: CLUB_PAYMENTS }),
  });

  const rest = claims.length - gone.size;
  if (decided) return <DecidedMany decided={decided} rest={rest} onRest={() => setDecided(null)} onClose={onClose} />;
  if (isDeclining)
    return (
      <DeclineMany
        claims={marked}
        onBack={() => setIsDeclining(false)}
        onDone={(outcome) => void after(marked, "declined", outcome)}
      />
    );
  return (
    <>
      <FormParts
        draft={null}
        onClose={onClose}
        submit={{
          label: words.confirm(payable.length),
          working: words.progress(reached, payable.length),
          busy: confirming.isPending,
          disabled: payable.length === 0,
        }}
        onSubmit={() => confirming.mutate(payable)}
        effect={
          marked.length > 0 && (
            <div className={classes.chosen}>
              <p>{[words.chosen(marked.length), ...sumsOf(payable, language)].join(", ")}</p>
              <Button
                variant="subtle"
                data-flush="always"
                data-danger
                aria-disabled={confirming.isPending || undefined}
                onClick={() => confirming.isPending || setIsDeclining(true)}
              >
                {words.decline(marked.length)}
              </Button>
            </div>
          )
        }
      >
        <p>
          {words.lead}
          {waiting !== null && waiting > claims.length && ` ${words.longestWaiting(claims.length, waiting)}`}
        </p>
        <StatementPart pasted={pasted} onPaste={paste} match={match} claims={open} />
        {groups.map((group) => (
          <ClaimGroup key={group.name} group={group} chosen={chosen} onChoose={choose} onReceipt={setReceipt} />
        ))}
        <FormMessage error={confirming.error} failed={setFailed} />
      </FormParts>
      {receipt && <ReceiptDialog claim={receipt} decision={null} onClose={() => setReceipt(null)} />}
    </>
  );
}

const asClaimed = ({ id, displayName, username, amount, currency }: Claim): Claimed => ({
  ...{ id, displayName, username, currency },
  hundredths: amount === null ? null : hundredthsOf(amount),
});
