import { moneyText } from "@krug/domain/money-text";
import { isSettled } from "@krug/domain/payment-rules";
import type { PaymentLength } from "@krug/domain/prepaid-months";
import { Textarea } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { ApiError, api } from "../../../lib/api.ts";
import { clubNow } from "../../../lib/club-clock.ts";
import { clubDay, writtenDay } from "../../../lib/format.ts";
import { useSpeech } from "../../../lib/i18n/use-text.tsx";
import { useCommand } from "../../../lib/use-command.ts";
import { draftOf, eachBy } from "../../../lib/use-draft.ts";
import { Banner } from "../../../ui/banner.tsx";
import { FormMessage } from "../../../ui/form-message.tsx";
import { FormSheet } from "../../../ui/form-sheet.tsx";
import { Loading } from "../../../ui/loading.tsx";
import { Segments } from "../../../ui/segments.tsx";
import { useToast } from "../../../ui/toasts.tsx";
import { useViewed } from "../../club/staff/index.ts";
import { newAct, useUndoToast } from "../../club/undo/index.ts";
import { Consequence } from "./consequence.tsx";
import classes from "./staff-payments.module.css";
import type { Settable } from "./staff-queries.ts";
import { type MemberPayments, paymentsOfQuery } from "./staff-queries.ts";
import { useStaffPaymentsWords } from "./staff-words.ts";
import { monthText } from "./wording.ts";

const MOST_NOTE_CHARACTERS = 1_000;

interface Props {
  member: { id: string; displayName: string };
  to: Settable;
  /** The months after those that are settled. */
  ahead: boolean;
  /** A month paid ahead, YYYY-MM; undefined: the current one. */
  period: string | undefined;
  onClose: () => void;
  onDone: () => void;
}

/** What a status does to the subscription, as the panel computes it, before it is set. */
export function StatusDialog({ member, to, ahead, period, onClose, onDone }: Props) {
  const words = useStaffPaymentsWords();
  const { language } = useSpeech();
  const { viewedRole } = useViewed();
  const toast = useToast();
  const undoToast = useUndoToast();
  const [act] = useState(newAct);
  const payments = useQuery({ ...paymentsOfQuery(member.id, viewedRole, period), staleTime: 0 });
  const [typed, setTyped] = useState<string | null>(null);
  const [asked, setAsked] = useState<PaymentLength | null>(null);
  const current = payments.data?.current;
  const lengths = (payments.data?.lengths ?? []).filter(({ months }) => !ahead || months > 1);
  const choice = ahead
    ? choiceAhead(current, lengths, words.set.noneAhead)
    : payments.data?.choices.find(({ status }) => status === to);
  const length = lengths.find(({ months }) => months === (asked ?? choice?.effect?.months ?? 1));
  const effect = choice?.effect && to === "paid" && length ? { ...choice.effect, ...length } : (choice?.effect ?? null);
  const note = typed ?? (ahead ? "" : (current?.note ?? ""));

  // Somebody else may already have set it.
  const already = !ahead && current?.status === to;
  const setting = useCommand({
    mutationFn: ({ userId, period, status, subscriptionEnd, claimId }: MemberPayments["current"]) =>
      api("PUT /admin/payments/status", {
        body: {
          userId,
          period,
          status: to,
          act,
          ...(to === "paid" && length ? { months: length.months } : {}),
          ...(ahead ? { ahead } : {}),
          expected: { status, subscriptionEnd, claimId },
          ...(typed === null ? {} : { note: typed.trim() }),
        },
      }),
    onSuccess: ({ displayName, subscriptionEnd }) => {
      const day = choice?.effect && subscriptionEnd && writtenDay(clubDay(subscriptionEnd), clubNow(), language);
      const message = `${words.set.done[to](displayName)}${day ? `, ${words.set.doneUntil(day)}` : ""}`;
      void (to === "paid" && !already ? undoToast({ of: "payments", act, message }) : toast("good", message));
      onDone();
    },
    onError: (error) => {
      if (isChanged(error)) void payments.refetch();
    },
  });
  const impossible = payments.data && (choice?.refusal ?? (choice ? null : { message: words.set.changed }));

  return (
    <FormSheet
      draft={draftOf(`payment.${member.id}`, { typed }, { typed: null }, eachBy({ typed: setTyped }))}
      asksBeforeLoss
      title={words.set.title(member.displayName, current ? monthText(current.period, language) : words.list.status)}
      onClose={onClose}
      submit={
        current && !impossible
          ? {
              label: words.set.confirm[to],
              working: words.set.working,
              busy: setting.isPending,
              danger: to === "overdue",
            }
          : null
      }
      onSubmit={() => current && setting.mutate(current)}
    >
      <Loading of={payments} failed={words.loadFailed} room={200} />
      {current && (
        <>
          {isChanged(setting.error) && <Banner tone="move" live title={words.set.changed} />}
          {impossible && !already && (
            <Banner tone="move" title={words.set.impossible}>
              {impossible.message}
            </Banner>
          )}
          {choice && !choice.refusal && (
            <>
              <p className={classes.question}>{ahead ? words.set.questionAhead : words.set.question[to]}</p>
              {to === "paid" && choice.effect && length && (ahead || lengths.length > 1) && (
                <Segments
                  label={words.set.length}
                  value={String(length.months)}
                  onChange={(months) => setAsked(lengths.find((each) => String(each.months) === months)?.months ?? 1)}
                  choices={lengths.map(({ months, amount, currency }) => ({
                    value: String(months),
                    label: words.months(months),
                    after: amount !== null && <b>{moneyText(amount, currency, language)}</b>,
                  }))}
                />
              )}
              <Consequence current={current} to={to} effect={effect} />
              <Textarea
                label={words.set.note}
                description={words.set.noteHint}
                autosize
                minRows={2}
                maxRows={6}
                maxLength={MOST_NOTE_CHARACTERS}
                value={note}
                onChange={(event) => setTyped(event.currentTarget.value)}
              />
            </>
          )}
          <FormMessage error={!isChanged(setting.error) && setting.error} failed={words.setFailed} />
        </>
      )}
    </FormSheet>
  );
}

/** While the month is settled, its choices do not have 'paid'. */
function choiceAhead(
  current: MemberPayments["current"] | undefined,
  [first]: MemberPayments["lengths"],
  none: string,
): MemberPayments["choices"][number] | undefined {
  if (current === undefined) return undefined;
  if (first === undefined || !isSettled(current.status))
    return { status: "paid", refusal: { code: "payment.length_not_offered", message: none }, effect: null };
  const { months, until } = first;
  return { status: "paid", refusal: null, effect: { kind: "grant", from: current.subscriptionEnd, until, months } };
}

const isChanged = (error: unknown) => error instanceof ApiError && error.code === "payment.changed_meanwhile";
