import { useQueryClient } from "@tanstack/react-query";
import { apiFile, explain } from "../../../lib/api.ts";
import { useMemberText } from "../../../lib/i18n/member.ts";
import { type Given, saveFile } from "../../../lib/save-file.ts";
import { useCommand } from "../../../lib/use-command.ts";
import { useToast } from "../../../ui/toasts.tsx";
import { useMaySave } from "../../../ui/use-may-save.ts";
import { type Config, configsQuery } from "./queries.ts";

/**
 * Fetches a config's file and saves it as {name}.conf, or passes it to `open`, the phone's 'open with', which the first screen does
 * not load; in Telegram, by a link.
 */
export function useDownload(open?: (...file: Parameters<typeof saveFile>) => Promise<Given>) {
  const { card, failure } = useMemberText();
  const toast = useToast();
  const maySave = useMaySave();
  const queryClient = useQueryClient();
  return useCommand({
    mutationKey: ["download"],
    mutationFn: async ({ id, name }: Pick<Config, "id" | "name">): Promise<Given> => {
      const inTelegram = globalThis.krugTelegram?.give?.(id);
      if (inTelegram) return inTelegram;
      // Once the panel has sent it, it counts as given.
      if (!(await maySave(!!open))) return "closed";
      const file = await apiFile("GET /vpn/configs/{id}/download", { params: { id } });
      return (open ?? saveFile)(file, `${name}.conf`);
    },
    // The file on the device is current now, so the card no longer asks for a new one.
    onSuccess: () => queryClient.invalidateQueries({ queryKey: configsQuery.queryKey }),
    onError: (error) => toast("bad", explain(error, card.downloadFailed, failure.silent)),
  });
}
