import { useState } from "react";
import { api } from "../../../lib/api.ts";
import { useCommand } from "../../../lib/use-command.ts";
import { draftOf, eachBy } from "../../../lib/use-draft.ts";
import { FormMessage } from "../../../ui/form-message.tsx";
import { FormSheet } from "../../../ui/form-sheet.tsx";
import { useToast } from "../../../ui/toasts.tsx";
import { asReason, ReasonField } from "./reason-field.tsx";
import { useStaffPaymentsWords } from "./staff-words.ts";

interface Props {
  claim: { id: string; displayName: string };
  onClose: () => void;
  onDone: () => void;
}

/** Notifies a member that the payment was not found, and why. */
export function DeclineDialog({ claim, onClose, onDone }: Props) {
  const { decline: words } = useStaffPaymentsWords();
  const toast = useToast();
  const [reason, setReason] = useState("");
  const declining = useCommand({
    mutationFn: () =>
      api("PUT /admin/payments/claims/{id}/decline", {
        params: { id: claim.id },
        body: { reason: asReason(reason) },
      }),
    onSuccess: () => {
      void toast("good", words.done(claim.displayName));
      onDone();
    },
  });
  return (
    <FormSheet
      draft={draftOf(`decline.${claim.id}`, { reason }, { reason: "" }, eachBy({ reason: setReason }))}
      title={words.title(claim.displayName)}
      onClose={onClose}
      submit={{ label: words.confirm, working: words.working, busy: declining.isPending, danger: true }}
      onSubmit={() => declining.mutate()}
      small
    >
      <p>{words.lead}</p>
      <ReasonField reason={reason} onChange={setReason} />
      <FormMessage error={declining.error} failed={words.failed} />
    </FormSheet>
  );
}
