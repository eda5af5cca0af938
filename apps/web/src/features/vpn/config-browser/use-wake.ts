import { useQueryClient } from "@tanstack/react-query";
import { api, explain } from "../../../lib/api.ts";
import { useText } from "../../../lib/i18n/use-text.tsx";
import { useCommand } from "../../../lib/use-command.ts";
import { useToast } from "../../../ui/toasts.tsx";
import { CONFIGS, type ListedConfig } from "./queries.ts";
import { useConfigsBrowserWords } from "./words.ts";

/** Switches a device on again that was off because nobody used it, or because its end came. */
export function useWake(onDone?: () => void): (config: ListedConfig) => void {
  const words = useConfigsBrowserWords();
  const { failure } = useText();
  const toast = useToast();
  const queryClient = useQueryClient();
  const waking = useCommand({
    mutationFn: ({ id }: ListedConfig) => api("POST /admin/configs/{id}/reactivate", { params: { id } }),
    onSuccess: (config) => {
      void toast("good", words.wake.done(config.name));
      void queryClient.invalidateQueries({ queryKey: CONFIGS });
      onDone?.();
    },
    onError: (error) => void toast("bad", explain(error, words.block.failed, failure.silent)),
  });
  return (config) => !waking.isPending && waking.mutate(config);
}
