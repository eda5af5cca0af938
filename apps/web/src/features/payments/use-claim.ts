import { useQueryClient } from "@tanstack/react-query";
import { api } from "../../lib/api.ts";
import { uploadPicture } from "../../lib/upload-picture.ts";
import { useCommand } from "../../lib/use-command.ts";
import { ownPaymentsQuery } from "./queries.ts";

/** Tells staff that one has paid, with a receipt as a data URL or without; while that waits, gives it another receipt. */
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
    // Staff may have decided meanwhile, from another tab it may have been said: what is true now is asked.
    onError: () => queryClient.invalidateQueries(ownPaymentsQuery),
  });
}
