import { NOTICE_GROUPS, STAFF_GROUPS } from "@krug/domain/notices/groups";
import { Checkbox } from "@mantine/core";
import "@mantine/core/styles/Checkbox.layer.css";
import "@mantine/core/styles/InlineInput.layer.css";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { api } from "../../../lib/api.ts";
import { useCommand } from "../../../lib/use-command.ts";
import { FormMessage } from "../../../ui/form-message.tsx";
import type { Me } from "../../access/auth/index.ts";
import classes from "./outbox.module.css";
import { type Choices, choicesQuery } from "./queries.ts";
import { useOutboxWords } from "./words.ts";

/** Which notices are also sent outside the panel. The panel's own list has all of them. */
export function NoticeChoices({ me }: { me: Me }) {
  const words = useOutboxWords();
  const queryClient = useQueryClient();
  const { data: choices } = useQuery(choicesQuery);
  const saving = useCommand({
    mutationFn: (change: Partial<Choices>) => api("PUT /inbox/choices", { body: change }),
    onSuccess: (saved) => void queryClient.setQueryData(choicesQuery.queryKey, saved),
  });
  if (choices === undefined) return null;
  const shown = { ...choices, ...(saving.isPending ? saving.variables : {}) };
  const groups = NOTICE_GROUPS.filter((group) => me.role !== "user" || !STAFF_GROUPS.includes(group));
  return (
    <fieldset className={classes.choices}>
      <legend>{words.choose}</legend>
      {groups.map((group) => (
        <Checkbox
          key={group}
          label={words.groups[group]}
          checked={shown[group]}
          onChange={(event) => saving.mutate({ [group]: event.currentTarget.checked })}
        />
      ))}
      <FormMessage error={saving.error} failed={words.failed} />
    </fieldset>
  );
}
