import type { PaymentLength } from "@krug/domain/prepaid-months";
import { useQueryClient } from "@tanstack/react-query";
import { api } from "../../../lib/api.ts";
import { uploadPicture } from "../../../lib/upload-picture.ts";
import { useCommand } from "../../../lib/use-command.ts";
import { ownPaymentsQuery } from "./queries.ts";

/** Reports a payment for so many months to staff, with or without a receipt (a data URL). While the claim waits, replaces the receipt. */
export function useClaim() {
  const queryClient = useQueryClient();
  return useCommand({
    mutationFn: async ({ receipt, months }: { receipt: string | null; months: PaymentLength }) =>
      api("POST /payments/claim", {
        body: {
          ...(months === 1 ? {} : { months }),
          ...(receipt === null ? {} : { receipt: await uploadPicture(receipt) }),
        },
      }),
    onSuccess: async (own) => {
      // An earlier request's answer must not remove the claim.
      await queryClient.cancelQueries(ownPaymentsQuery);
      queryClient.setQueryData(ownPaymentsQuery.queryKey, own);
    },
    // Staff may have decided, or another tab may have reported it: fetches the current state.
    onError: () => queryClient.invalidateQueries(ownPaymentsQuery),
  });
}
