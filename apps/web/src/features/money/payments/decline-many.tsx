import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { api, explain } from "../../../lib/api.ts";
import { useText } from "../../../lib/i18n/use-text.tsx";
import { useCommand } from "../../../lib/use-command.ts";
import { draftOf, eachBy } from "../../../lib/use-draft.ts";
import { FormMessage } from "../../../ui/form-message.tsx";
import { FormParts } from "../../../ui/form-sheet.tsx";
import { useManyWords } from "./many-words.ts";
import { oneByOne } from "./one-by-one.ts";
import { CLUB_PAYMENTS } from "./queries.ts";
import { asReason, ReasonField } from "./reason-field.tsx";
import type { Claim } from "./staff-queries.ts";
import { useStaffPaymentsWords } from "./staff-words.ts";

interface Props {
  claims: readonly Claim[];
  onBack: () => void;
  onDone: (outcome: Awaited<ReturnType<typeof oneByOne>>) => void;
}

/** Notifies several members, by one answer, that their payments were not found. */
export function DeclineMany({ claims, onBack, onDone }: Props) {
  const { decline } = useStaffPaymentsWords();
  const words = useManyWords();
  const { failure } = useText();
  const queryClient = useQueryClient();
  const [reason, setReason] = useState("");
  const [reached, setReached] = useState(0);
  const declining = useCommand({
    mutationFn: () => {
      const body = { reason: asReason(reason) };
      const wishes = claims.map(({ id, displayName }) => ({
        name: displayName,
        why: null,
        run: () => api("PUT /admin/payments/claims/{id}/decline", { params: { id }, body }),
      }));
      const explained = (error: unknown) => explain(error, decline.failed, failure.silent);
      return oneByOne(wishes, { explain: explained, onReached: setReached });
    },
    onSuccess: onDone,
    onSettled: () => queryClient.invalidateQueries({ queryKey: CLUB_PAYMENTS }),
  });
  return (
    <FormParts
      draft={draftOf("decline-many", { reason }, { reason: "" }, eachBy({ reason: setReason }))}
      onClose={onBack}
      cancel={words.back}
      submit={{
        label: words.decline(claims.length),
        working: words.progress(reached, claims.length),
        busy: declining.isPending,
        danger: true,
      }}
      onSubmit={() => declining.mutate()}
    >
      <p>{words.declineLead}</p>
      <ReasonField reason={reason} onChange={setReason} />
      <FormMessage error={declining.error} failed={decline.failed} />
    </FormParts>
  );
}
