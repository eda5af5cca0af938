import { useQueryClient } from "@tanstack/react-query";
import { api, explain } from "../../lib/api.ts";
import { useText } from "../../lib/i18n/use-text.tsx";
import { useCommand } from "../../lib/use-command.ts";
import { useToast } from "../../ui/toasts.tsx";
import { DESK, type StaffTicket, type TicketChange } from "./queries.ts";
import { useStaffSupportWords } from "./words.ts";

/** Changes a ticket as it is seen here: if a colleague was faster, it says so and undoes nothing. */
export function useTicketChange(ticket: StaffTicket) {
  const { ticket: words } = useStaffSupportWords();
  const { failure } = useText();
  const toast = useToast();
  const queryClient = useQueryClient();
  return useCommand({
    mutationFn: ({ change }: { change: Pick<TicketChange, "status" | "assignedTo">; done: string }) =>
      api("PUT /admin/support/tickets/{id}", {
        params: { id: ticket.id },
        body: { ...change, expected: { status: ticket.status, assignedTo: ticket.assignedTo?.id ?? null } },
      }),
    onSuccess: (_, { done }) => void toast("good", done),
    onError: (error) => void toast("bad", explain(error, words.failed, failure.silent)),
    onSettled: () => void queryClient.invalidateQueries({ queryKey: DESK }),
  });
}
