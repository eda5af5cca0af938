import { readStatement } from "@krug/domain/bank-statement";
import { type Claimed, matchStatement } from "@krug/domain/match-statement";
import { moneyText } from "@krug/domain/money-text";
import { Button, Checkbox } from "@mantine/core";
import "@mantine/core/styles/Checkbox.layer.css";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useMemo, useState } from "react";
import { apiPage, explain } from "../../../lib/api.ts";
import { useSpeech } from "../../../lib/i18n/use-text.tsx";
import { useCommand } from "../../../lib/use-command.ts";
import { FormMessage } from "../../../ui/form-message.tsx";
import { FormParts } from "../../../ui/form-sheet.tsx";
import { LoadFailed } from "../../../ui/load-failed.tsx";
import { Sheet, SheetActions, SheetBody, SheetFooter } from "../../../ui/sheet.tsx";
import { Waiting } from "../../../ui/waiting.tsx";
import { asViewed, useViewed } from "../../club/staff/index.ts";
import { newAct, useUndoToast } from "../../club/undo/index.ts";
import { LeftOut } from "./left-out.tsx";
import { CLUB_PAYMENTS } from "./queries.ts";
import { setMany } from "./set-many.ts";
import classes from "./staff-payments.module.css";
import type { Claim } from "./staff-queries.ts";
import { useStaffPaymentsWords } from "./staff-words.ts";
import { StatementPart } from "./statement-part.tsx";

const MOST_AT_ONCE = 500;

/** Waiting claims, to be compared with a bank's list and confirmed together. Nothing is chosen before somebody chooses it. */
export function ConfirmManyDialog({ onClose }: { onClose: () => void }) {
  const { many: words, loadFailed } = useStaffPaymentsWords();
  const { viewedRole } = useViewed();
  const claims = useQuery({
    // As it was when opened: rows that come or go meanwhile must not move under a finger.
    queryKey: ["claims-to-confirm", viewedRole],
    queryFn: ({ signal }) =>
      apiPage("GET /admin/payments/claims", { query: { limit: MOST_AT_ONCE, ...asViewed(viewedRole) }, signal }),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
  return (
    <Sheet
      opened
      onClose={onClose}
      title={words.title}
      parts={claims.data && <ConfirmMany claims={claims.data.rows} waiting={claims.data.total} onClose={onClose} />}
    >
      {claims.isError && <LoadFailed title={loadFailed} error={claims.error} onRetry={() => void claims.refetch()} />}
      {claims.isPending && <Waiting room={200} />}
    </Sheet>
  );
}

interface Props {
  claims: readonly Claim[];
  /** How many wait, also beyond those listed. */
  waiting: number | null;
  onClose: () => void;
}

function ConfirmMany({ claims, waiting, onClose }: Props) {
  const { many: words, statement, months: inWords, unlimitedMember, setFailed } = useStaffPaymentsWords();
  const { text, language } = useSpeech();
  const queryClient = useQueryClient();
  const undoToast = useUndoToast();
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const [reached, setReached] = useState(0);
  const [pasted, setPasted] = useState("");
  const open = useMemo(() => claims.filter(({ isUnlimited }) => !isUnlimited), [claims]);
  const match = useMemo(() => matchStatement(readStatement(pasted), open.map(asClaimed)), [pasted, open]);
  const paste = (text: string) => {
    setPasted(text);
    setChosen(new Set(matchStatement(readStatement(text), open.map(asClaimed)).matched.keys()));
  };
  const asked = new Set(match.unclear.flatMap(({ ids }) => ids));
  const orderOf = ({ id }: Claim) => (match.matched.has(id) ? 0 : asked.has(id) ? 1 : 2);
  // Those found stand together, then those to choose among.
  const shown = claims.toSorted((one, other) => orderOf(one) - orderOf(other));
  const taken = open.filter(({ id }) => chosen.has(id));
  const sumOf = (some: readonly Claim[]) => sumsOf(some).map(([currency, sum]) => moneyText(sum, currency, language));

  const confirming = useCommand({
    mutationFn: async () => {
      const act = newAct();
      const wishes = taken.map(({ id, displayName, userId, period, months, status, subscriptionEnd }) => ({
        name: displayName,
        why: null,
        body: {
          ...{ userId, period, months, act, status: "paid" as const },
          expected: { status, subscriptionEnd, claimId: id },
        },
      }));
      const explained = (error: unknown) => explain(error, setFailed, text.failure.silent);
      const { done, left } = await setMany(wishes, { explain: explained, onReached: setReached });
      return { act, done: done.flatMap((place) => taken[place] ?? []), left };
    },
    onSuccess: ({ act, done }) => {
      if (done.length > 0) void undoToast({ of: "payments", act, message: words.done(done.length), onUndone: onClose });
    },
    onSettled: () => queryClient.invalidateQueries({ queryKey: CLUB_PAYMENTS }),
  });
  const toggle = (id: string, isChosen: boolean) =>
    setChosen((before) => new Set(isChosen ? [...before, id] : [...before].filter((one) => one !== id)));

  if (confirming.data) {
    const { done, left } = confirming.data;
    return (
      <>
        <SheetBody>
          <p role="status">{[words.done(done.length), ...sumOf(done)].join(", ")}</p>
          {left.length > 0 && <h3 className={classes.heading}>{words.left(left.length)}</h3>}
          <LeftOut left={left} />
        </SheetBody>
        <SheetFooter>
          <SheetActions>
            <Button size="lg" data-autofocus onClick={onClose}>
              {words.close}
            </Button>
          </SheetActions>
        </SheetFooter>
      </>
    );
  }
  return (
    <FormParts
      draft={null}
      onClose={onClose}
      submit={{
        label: words.confirm(taken.length),
        working: words.progress(reached, taken.length),
        busy: confirming.isPending,
        disabled: taken.length === 0,
      }}
      onSubmit={() => confirming.mutate()}
      effect={taken.length > 0 && <p>{[words.chosen(taken.length), ...sumOf(taken)].join(", ")}</p>}
    >
      <p>
        {words.lead}
        {waiting !== null && waiting > claims.length && ` ${words.longestWaiting(claims.length, waiting)}`}
      </p>
      <StatementPart pasted={pasted} onPaste={paste} match={match} claims={open} />
      <Checkbox
        label={words.all(open.length)}
        checked={open.length > 0 && taken.length === open.length}
        indeterminate={taken.length > 0 && taken.length < open.length}
        onChange={({ currentTarget: { checked } }) => setChosen(new Set(checked ? open.map(({ id }) => id) : []))}
      />
      <ul className={classes.left}>
        {shown.map(({ id, displayName, username, months, amount, currency, isUnlimited }) => (
          <li key={id}>
            <Checkbox
              label={`${displayName} (${username})`}
              description={[
                ...(isUnlimited ? [unlimitedMember] : []),
                ...(months > 1 ? [inWords(months)] : []),
                ...(amount === null ? [] : [moneyText(amount, currency, language)]),
                ...(match.matched.has(id) ? [statement.entry(match.matched.get(id)?.text ?? "")] : []),
              ].join(" · ")}
              checked={chosen.has(id)}
              disabled={isUnlimited}
              onChange={({ currentTarget: { checked } }) => toggle(id, checked)}
            />
          </li>
        ))}
      </ul>
      <FormMessage bad={confirming.error && explain(confirming.error, setFailed, text.failure.silent)} />
    </FormParts>
  );
}

const asClaimed = ({ id, displayName, username, amount, currency }: Claim): Claimed => ({
  ...{ id, displayName, username, currency },
  hundredths: amount === null ? null : Math.round(Number(amount) * 100),
});

/** By currency, as exact decimals. */
function sumsOf(claims: readonly Claim[]): [currency: string, sum: string][] {
  const sums = new Map<string, number>();
  for (const { amount, currency } of claims)
    if (amount !== null) sums.set(currency, (sums.get(currency) ?? 0) + Math.round(Number(amount) * 100));
  return [...sums].map(([currency, hundredths]) => [
    currency,
    hundredths % 100 === 0 ? String(hundredths / 100) : (hundredths / 100).toFixed(2),
  ]);
}
