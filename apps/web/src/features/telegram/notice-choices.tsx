import { NOTICE_GROUPS, STAFF_GROUPS } from "@krug/domain/notice-groups";
import { Checkbox } from "@mantine/core";
import "@mantine/core/styles/Checkbox.layer.css";
import "@mantine/core/styles/InlineInput.layer.css";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { api, explain } from "../../lib/api.ts";
import { useCircle } from "../../lib/i18n/circle.ts";
import { useText } from "../../lib/i18n/use-text.tsx";
import { useCommand } from "../../lib/use-command.ts";
import { FormMessage } from "../../ui/form-message.tsx";
import type { Me } from "../auth/index.ts";
import { type Choices, choicesQuery } from "./queries.ts";
import classes from "./telegram.module.css";

/** Which notices the bot sends; the panel's own list has all of them. */
export function NoticeChoices({ me }: { me: Me }) {
  const { telegram } = useCircle();
  const { failure } = useText();
  const queryClient = useQueryClient();
  const { data: choices } = useQuery(choicesQuery);
  const saving = useCommand({
    mutationFn: (change: Partial<Choices>) => api("PUT /auth/telegram/notices", { body: change }),
    onSuccess: (saved) => void queryClient.setQueryData(choicesQuery.queryKey, saved),
  });
  if (choices === undefined) return null;
  const shown = { ...choices, ...(saving.isPending ? saving.variables : {}) };
  const groups = NOTICE_GROUPS.filter((group) => me.role !== "user" || !STAFF_GROUPS.includes(group));
  return (
    <fieldset className={classes.choices}>
      <legend>{telegram.notices}</legend>
      {groups.map((group) => (
        <Checkbox
          key={group}
          label={telegram.groups[group]}
          checked={shown[group]}
          onChange={(event) => saving.mutate({ [group]: event.currentTarget.checked })}
        />
      ))}
      <FormMessage bad={saving.error && explain(saving.error, telegram.choicesFailed, failure.silent)} />
    </fieldset>
  );
}
