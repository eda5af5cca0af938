import { Button } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { api, explain } from "../../../lib/api.ts";
import { useText } from "../../../lib/i18n/use-text.tsx";
import { useCommand } from "../../../lib/use-command.ts";
import { Ask } from "../../../ui/ask.tsx";
import { Sheet } from "../../../ui/sheet.tsx";
import { useToast } from "../../../ui/toasts.tsx";
import { useRight } from "../../club/staff/index.ts";
import { newAct, useUndoToast } from "../../club/undo/index.ts";
import { LeftOut } from "./left-out.tsx";
import { oneByOne } from "./one-by-one.ts";
import { CLUB_PAYMENTS } from "./queries.ts";
import type { Payment, Settable } from "./staff-queries.ts";
import { useStaffPaymentsWords } from "./staff-words.ts";
import type { PaymentActions } from "./use-payment-actions.tsx";

interface Props {
  payments: readonly Payment[];
  actions: PaymentActions;
  onDone: () => void;
}

/** Sets the month of all selected members, each as it was seen. Those that cannot be set are left out and named with the reason. */
export function BulkPayments({ payments, actions, onDone }: Props) {
  const { bulk: words, actions: names, setFailed } = useStaffPaymentsWords();
  const { failure } = useText();
  const mayExempt = useRight("payments.set_not_required");
  const toast = useToast();
  const undoToast = useUndoToast();
  const queryClient = useQueryClient();
  const [to, setTo] = useState<Settable | null>(null);
  const [reached, setReached] = useState(0);
  const offered = (["paid", "overdue", "not_required"] as const).filter(
    (status) => status !== "not_required" || mayExempt,
  );
  const meant = (status: Settable) => payments.filter((payment) => payment.status !== status);

  const setting = useCommand({
    mutationFn: async (status: Settable) => {
      const act = newAct();
      const outcome = await oneByOne(
        meant(status).map((payment) => {
          const { userId, period, displayName: name, status: seen, subscriptionEnd, claimId } = payment;
          const expected = { status: seen, subscriptionEnd, claimId };
          const body = { userId, period, status, act, expected };
          return { name, why: actions.whyNot(payment, status), run: () => api("PUT /admin/payments/status", { body }) };
        }),
        { explain: (error) => explain(error, setFailed, failure.silent), onReached: setReached },
      );
      return { act, ...outcome };
    },
    onSuccess: ({ act, done, left }, status) => {
      const message = words.done(done.length);
      if (status === "paid" && done.length > 0) void undoToast({ of: "payments", act, message });
      else if (left.length === 0) void toast("good", message);
      if (left.length > 0) return;
      setTo(null);
      onDone();
    },
    onSettled: () => {
      setReached(0);
      void queryClient.invalidateQueries({ queryKey: CLUB_PAYMENTS });
    },
  });
  const close = () => {
    setTo(null);
    setting.reset();
  };
  const left = setting.data?.left ?? [];
  return (
    <>
      {offered.map((status) => (
        <Button
          key={status}
          variant="subtle"
          data-danger={status === "overdue" || undefined}
          onClick={() => setTo(status)}
        >
          {names[status]}
        </Button>
      ))}
      {to !== null && left.length > 0 ? (
        <Sheet
          small
          title={words.partly(setting.data?.done.length ?? 0, left.length)}
          onClose={() => {
            close();
            onDone();
          }}
        >
          <LeftOut left={left} />
        </Sheet>
      ) : to !== null ? (
        <Ask
          danger={to === "overdue"}
          onClose={close}
          onConfirm={() => setting.mutate(to)}
          title={words.title[to](meant(to).length)}
          text={words.text[to]}
          confirm={names[to]}
          working={words.progress(reached, meant(to).length)}
          of={setting}
          failed={setFailed}
        />
      ) : null}
    </>
  );
}
