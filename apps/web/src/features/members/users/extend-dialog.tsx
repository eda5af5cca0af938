import { TextInput } from "@mantine/core";
import { useRef, useState } from "react";
import { api, explain, Refusal } from "../../../lib/api.ts";
import { useText } from "../../../lib/i18n/use-text.tsx";
import { idempotencyKey } from "../../../lib/idempotency-key.ts";
import { useCommand } from "../../../lib/use-command.ts";
import { Ask } from "../../../ui/ask.tsx";
import { Segments } from "../../../ui/segments.tsx";
import { useUndoToast } from "../../club/undo/index.ts";
import { useBulkWords } from "./bulk-words.ts";
import { PERIODS, type Period, sumOf } from "./extend-periods.ts";
import type { Question } from "./question.ts";
import { useUsersWords } from "./words.ts";

interface Props {
  member: { id: string; displayName: string };
  /** Chosen at first; the shortest otherwise. */
  by?: Period;
  onClose: () => void;
  onDone: () => void;
}

/** Adds days to one member's subscription. */
export function ExtendDialog({ member, by = PERIODS[0], onClose, onDone }: Props) {
  const { failures } = useUsersWords();
  const words = useBulkWords();
  const { failure } = useText();
  const undoToast = useUndoToast();
  const [period, setPeriod] = useState<Period>(by);
  const [sum, setSum] = useState("");
  /** A retry after a lost answer uses the same key, so nobody is extended twice. */
  const keys = useRef(new Map<string, string>());
  const extending = useCommand({
    mutationFn: async (amount: string | null) => {
      const sent = `${period} ${amount}`;
      const key = keys.current.get(sent) ?? idempotencyKey();
      keys.current.set(sent, key);
      const extension = { action: "extend" as const, days: Number(period), ...(amount === null ? {} : { amount }) };
      const { refused } = await api("POST /admin/users/bulk", {
        body: { ids: [member.id], act: key, ...extension },
        idempotencyKey: key,
      });
      keys.current.delete(sent);
      if (refused[0]) throw new Refusal(refused[0].message);
      return key;
    },
    onSuccess: (act) => {
      void undoToast({ of: "users", act, message: words.extended(member.displayName, Number(period)) });
      onDone();
    },
  });
  return (
    <ExtendQuestion
      title={words.extendOf(member.displayName)}
      period={period}
      onPeriod={setPeriod}
      sum={sum}
      onSum={setSum}
      onClose={onClose}
      onConfirm={extending.mutate}
      busy={extending.isPending}
      bad={extending.error && explain(extending.error, failures.subscription, failure.silent)}
    />
  );
}

interface QuestionProps extends Omit<Question, "onConfirm"> {
  period: Period;
  /** null: fixed, because the action has already started with this choice. */
  onPeriod: ((period: Period) => void) | null;
  /** What each of them paid, as written; empty: a gift. */
  sum: string;
  onSum: (sum: string) => void;
  several?: boolean;
  onConfirm: (amount: string | null) => void;
}

/** The dialog, for one member or for many. */
export function ExtendQuestion({
  period,
  onPeriod,
  sum,
  onSum,
  several = false,
  onConfirm,
  confirm,
  progress,
  ...asked
}: QuestionProps) {
  const words = useBulkWords();
  const [isWrong, setWrong] = useState(false);
  return (
    <Ask
      {...asked}
      onConfirm={() => {
        const amount = sumOf(sum);
        setWrong(amount === undefined);
        if (amount !== undefined) onConfirm(amount);
      }}
      opened
      text={words.extendLead}
      confirm={confirm ?? words.extend}
      working={progress ?? words.extending}
    >
      {onPeriod === null ? (
        <p>{words.extendBy(Number(period))}</p>
      ) : (
        <>
          <Segments
            label={words.period}
            value={period}
            onChange={onPeriod}
            choices={PERIODS.map((value) => ({ value, label: words.days(Number(value)) }))}
          />
          <TextInput
            label={several ? words.sumOfEach : words.sum}
            description={words.sumHint}
            error={isWrong && words.sumWrong}
            value={sum}
            onChange={({ currentTarget }) => onSum(currentTarget.value)}
            inputMode="decimal"
            autoComplete="off"
          />
        </>
      )}
    </Ask>
  );
}
