import { useQueryClient } from "@tanstack/react-query";
import { explain } from "../../../lib/api.ts";
import { useText } from "../../../lib/i18n/use-text.tsx";
import { useCommand } from "../../../lib/use-command.ts";
import { useToast } from "../../../ui/toasts.tsx";
import { DESK } from "./queries.ts";

/**
 * Changes something on the desk as it is seen here. Whatever the result, the desk is refetched: if a colleague was faster, it says
 * so and undoes nothing. `done`: the message on success.
 */
export function useDeskCommand<Wish extends object>(
  send: (wish: Wish & { done?: string }) => Promise<unknown>,
  failed: string,
) {
  const { failure } = useText();
  const toast = useToast();
  const queryClient = useQueryClient();
  return useCommand({
    mutationFn: send,
    onSuccess: (_, { done }) => void (done && toast("good", done)),
    onError: (error) => void toast("bad", explain(error, failed, failure.silent)),
    onSettled: () => void queryClient.invalidateQueries({ queryKey: DESK }),
  });
}
