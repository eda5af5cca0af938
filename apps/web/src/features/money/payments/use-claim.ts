import { useQueryClient } from "@tanstack/react-query";
import { api } from "../../../lib/api.ts";
import { uploadPicture } from "../../../lib/upload-picture.ts";
import { useCommand } from "../../../lib/use-command.ts";
import { ownPaymentsQuery } from "./queries.ts";

/** Tells staff about a payment, with or without a receipt (a data URL); while that waits, replaces the receipt. */
export function useClaim() {
  const queryClient = useQueryClient();
  return useCommand({
    mutationFn: async (receipt: string | null) =>
      api("POST /payments/claim", { body: receipt === null ? {} : { receipt: await uploadPicture(receipt) } }),
    onSuccess: async (own) => {
      // An answer that was asked for before must not take the claim away.
      await queryClient.cancelQueries(ownPaymentsQuery);
      queryClient.setQueryData(ownPaymentsQuery.queryKey, own);
    },
    // Staff may have decided, or another tab may have told them: ask for the current state.
    onError: () => queryClient.invalidateQueries(ownPaymentsQuery),
  });
}
