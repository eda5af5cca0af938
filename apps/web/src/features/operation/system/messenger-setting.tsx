import type { Api } from "@krug/contract/api";
import { Checkbox } from "@mantine/core";
import "@mantine/core/styles/Checkbox.layer.css";
import "@mantine/core/styles/InlineInput.layer.css";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { api } from "../../../lib/api.ts";
import { useCommand } from "../../../lib/use-command.ts";
import { FormMessage } from "../../../ui/form-message.tsx";
import { useToast } from "../../../ui/toasts.tsx";
import { AskedPanel } from "./asked-panel.tsx";
import { type BotState, botQuery } from "./queries.ts";
import classes from "./system.module.css";
import { useSoughtField } from "./use-sought-field.ts";
import { useSystemWords } from "./words.ts";

/** Whether a linked Telegram is required for new configs (decisions, section 8), and whether staff may act there (ADR 157). */
export function MessengerPanel() {
  const { messenger: words } = useSystemWords();
  const query = useQuery(botQuery);
  return (
    <AskedPanel title={words.title} query={query} failed={words.failed}>
      {(bot) => <Settings bot={bot} />}
    </AskedPanel>
  );
}

type Change = Api["PUT /admin/telegram"]["body"];

function Settings({ bot }: { bot: BotState }) {
  const { messenger: words, settings } = useSystemWords();
  const toast = useToast();
  const queryClient = useQueryClient();
  const saving = useCommand({
    mutationFn: (body: Change) => api("PUT /admin/telegram", { body }),
    onSuccess: (saved, { staffActs }) => {
      queryClient.setQueryData(botQuery.queryKey, saved);
      void toast("good", staffActs === undefined ? words.saved(saved.required) : words.savedActs(saved.staffActs));
    },
  });
  useSoughtField();
  const hasBot = bot.reason !== "no_token";
  const shown = { ...bot, ...(saving.isPending ? saving.variables : {}) };
  return (
    <div className={classes.form}>
      <Checkbox
        name="telegramRequired"
        label={words.require}
        description={hasBot ? words.requireHint : words.noToken}
        checked={hasBot && Boolean(shown.required)}
        disabled={!hasBot}
        onChange={(event) => saving.mutate({ required: event.currentTarget.checked })}
      />
      {hasBot && (
        <Checkbox
          name="telegramStaffActs"
          label={words.staffActs}
          description={words.staffActsHint}
          checked={Boolean(shown.staffActs)}
          onChange={(event) => saving.mutate({ staffActs: event.currentTarget.checked })}
        />
      )}
      {hasBot && <p className={classes.hint}>{words.connected(bot.connectedMembers)}</p>}
      <FormMessage error={saving.error} failed={settings.saveFailed} />
    </div>
  );
}
