import { Button } from "@mantine/core";
import { useRef, useState } from "react";
import { api, explain, Refusal } from "../../lib/api.ts";
import { useText } from "../../lib/i18n/use-text.tsx";
import { idempotencyKey } from "../../lib/idempotency-key.ts";
import { useCommand } from "../../lib/use-command.ts";
import { FormMessage } from "../../ui/form-message.tsx";
import { Segments } from "../../ui/segments.tsx";
import { Sheet, SheetActions } from "../../ui/sheet.tsx";
import { SubmitButton } from "../../ui/submit-button.tsx";
import { useToast } from "../../ui/toasts.tsx";
import { PERIODS, type Period } from "./extend-periods.ts";
import classes from "./users.module.css";
import { useUsersWords } from "./words.ts";

interface Props {
  member: { id: string; displayName: string };
  onClose: () => void;
  onDone: () => void;
}

/** Adds days to one member's subscription. */
export function ExtendDialog({ member, onClose, onDone }: Props) {
  const { bulk: words, failures } = useUsersWords();
  const { failure } = useText();
  const toast = useToast();
  const [period, setPeriod] = useState<Period>(PERIODS[0]);
  /** A lost answer is asked for again under the same key, so nobody is extended twice. */
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

interface QuestionProps {
  title: string;
  period: Period;
  /** null: it was begun with what is chosen. */
  onPeriod: ((period: Period) => void) | null;
  /** The button's label where it goes on with what was begun. */
  confirm?: string | undefined;
  onClose: () => void;
  onConfirm: () => void;
  busy: boolean;
  /** How far a long extension has come, in words. */
  progress?: string | null;
  bad: string | null;
}

/** The question itself, for one member or for many. */
export function ExtendQuestion(props: QuestionProps) {
  const { title, period, onPeriod, confirm, onClose, onConfirm, busy, progress, bad } = props;
  const { bulk: words } = useUsersWords();
  const { common } = useText();
  return (
    <Sheet opened onClose={onClose} title={title} small>
      <div className={classes.pair}>
        <p>{words.extendLead}</p>
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
        <FormMessage bad={bad} />
        <SheetActions>
          <Button variant="subtle" onClick={onClose}>
            {common.cancel}
          </Button>
          <SubmitButton
            type="button"
            size="sm"
            busy={busy}
            label={confirm ?? words.extend}
            working={progress ?? words.extending}
            onClick={onConfirm}
          />
        </SheetActions>
      </div>
    </Sheet>
  );
}
