import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useRef, useState } from "react";
import { api } from "../../../lib/api.ts";
import { type Config, type ConfigWithText, configsQuery } from "./queries.ts";

/**
 * The services of a device whose server routes. A press counts at once. Presses made while a request is under way go together in the
 * next one, so that answers cannot come in another order.
 */
export function useChosenServices({ id, services }: Pick<Config, "id" | "services">) {
  const queryClient = useQueryClient();
  const [wished, setWished] = useState<readonly string[] | null>(null);
  const [isLast, setIsLast] = useState(false);
  const unsent = useRef<readonly string[] | null>(null);
  const saving = useMutation({
    mutationFn: async () => {
      let answer: ConfigWithText | undefined;
      while (unsent.current !== null) {
        const body = { services: [...unsent.current] };
        unsent.current = null;
        answer = await api("PUT /vpn/configs/{id}", { params: { id }, body });
      }
      return answer;
    },
    onSuccess: (answer) =>
      queryClient.setQueryData(configsQuery.queryKey, (list) => list?.map((one) => (one.id === id && answer) || one)),
    onSettled: () => {
      unsent.current = null;
      setWished(null);
      void queryClient.invalidateQueries({ queryKey: configsQuery.queryKey });
    },
  });
  const chosen = wished ?? services;
  return {
    chosen,
    /** The last one was pressed. It stays, since a config has at least one. */
    isLast,
    error: saving.error,
    choose(next: readonly string[]) {
      setIsLast(next.length === 0);
      if (next.length === 0) return;
      setWished(next);
      unsent.current = next;
      if (!saving.isPending) saving.mutate();
    },
  };
}

export type ChosenServices = ReturnType<typeof useChosenServices>;

export const turned = (chosen: readonly string[], id: string): string[] =>
  chosen.includes(id) ? chosen.filter((one) => one !== id) : [...chosen, id];
