import { useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { api, explain } from "../../../lib/api.ts";
import { useText } from "../../../lib/i18n/use-text.tsx";
import { useCommand } from "../../../lib/use-command.ts";
import { useToast } from "../../../ui/toasts.tsx";
import { meQuery } from "./queries.ts";

/** Signs out. The next person at this device starts clean. */
export function useLeave() {
  const { failure } = useText();
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const toast = useToast();
  const { mutate } = useCommand({
    mutationFn: () => api("POST /auth/logout"),
    onSuccess: async () => {
      queryClient.setQueryData(meQuery.queryKey, null);
      await navigate({ to: "/login", replace: true });
    },
    onError: (error) => toast("bad", explain(error, failure.noApi, failure.silent)),
  });
  return () => mutate();
}
