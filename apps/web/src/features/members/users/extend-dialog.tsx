import { useRef, useState } from "react";
import { api, explain, Refusal } from "../../../lib/api.ts";
import { useText } from "../../../lib/i18n/use-text.tsx";
import { idempotencyKey } from "../../../lib/idempotency-key.ts";
import { useCommand } from "../../../lib/use-command.ts";
import { Ask } from "../../../ui/ask.tsx";
import { Segments } from "../../../ui/segments.tsx";
import { useToast } from "../../../ui/toasts.tsx";
import { useBulkWords } from "./bulk-words.ts";
import { PERIODS, type Period } from "./extend-periods.ts";
import type { Question } from "./question.ts";
import { useUsersWords } from "./words.ts";

interface Props {
  member: { id: string; displayName: string };
  onClose: () => void;
  onDone: () => void;
}

/** Adds days to one member's subscription. */
export function ExtendDialog({ member, onClose, onDone }: Props) {
  const { failures } = useUsersWords();
  const words = useBulkWords();
  const { failure } = useText();
  const toast = useToast();
  const [period, setPeriod] = useState<Period>(PERIODS[0]);
  /** A retry after a lost answer uses the same key, so nobody is extended twice. */
  const keys = useRef(new Map<Period, string>());
  const extending = useCommand({
    mutationFn: async () => {
      const key = keys.current.get(period) ?? idempotencyKey();
      keys.current.set(period, key);
      const { refused } = await api("POST /admin/users/bulk", {
        body: { ids: [member.id], action: "extend", days: Number(period) },
        idempotencyKey: key,
      });
      keys.current.delete(period);
      if (refused[0]) throw new Refusal(refused[0].message);
    },
    onSuccess: () => {
      void toast("good", words.extended(member.displayName, Number(period)));
      onDone();
    },
  });
  return (
    <ExtendQuestion
      title={words.extendOf(member.displayName)}
      period={period}
      onPeriod={setPeriod}
      onClose={onClose}
      onConfirm={() => extending.mutate()}
      busy={extending.isPending}
      bad={extending.error && explain(extending.error, failures.subscription, failure.silent)}
    />
  );
}

interface QuestionProps extends Question {
  period: Period;
  /** null: fixed, because the action has already started with this choice. */
  onPeriod: ((period: Period) => void) | null;
}

/** The dialog, for one member or for many. */
export function ExtendQuestion({ period, onPeriod, confirm, progress, ...asked }: QuestionProps) {
  const words = useBulkWords();
  return (
    <Ask
      {...asked}
      opened
      text={words.extendLead}
      confirm={confirm ?? words.extend}
      working={progress ?? words.extending}
    >
      {onPeriod === null ? (
        <p>{words.extendBy(Number(period))}</p>
      ) : (
        <Segments
          label={words.period}
          value={period}
          onChange={onPeriod}
          choices={PERIODS.map((value) => ({ value, label: words.days(Number(value)) }))}
        />
      )}
    </Ask>
  );
}
