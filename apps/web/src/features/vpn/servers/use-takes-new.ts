import { useQueryClient } from "@tanstack/react-query";
import { api, withReason } from "../../../lib/api.ts";
import { useText } from "../../../lib/i18n/use-text.tsx";
import { useCommand } from "../../../lib/use-command.ts";
import { useToast } from "../../../ui/toasts.tsx";
import { SERVERS, type Server } from "./queries.ts";
import { useServersWords } from "./words.ts";

/** Closes a server to new configs, or opens it again. A toast reports the result. */
export function useTakesNew() {
  const { drain: words } = useServersWords();
  const { failure } = useText();
  const toast = useToast();
  const queryClient = useQueryClient();
  return useCommand({
    mutationFn: ({ server, takesNew }: { server: Server; takesNew: boolean }) =>
      api("PUT /admin/servers/{id}", { params: { id: server.id }, body: { takesNew } }),
    onSuccess: ({ name, takesNew }) => void toast("good", words.turned[takesNew ? "open" : "closed"](name)),
    onError: (error) => void toast("bad", withReason(words.turnFailed, error, failure.silent)),
    onSettled: () => queryClient.invalidateQueries({ queryKey: SERVERS }),
  });
}
