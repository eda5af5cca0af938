import { useState } from "react";
import { api } from "../../../lib/api.ts";
import { clubNow } from "../../../lib/club-clock.ts";
import { useCommand } from "../../../lib/use-command.ts";
import cells from "../../../ui/cells.module.css";
import { FormMessage } from "../../../ui/form-message.tsx";
import { FormSheet } from "../../../ui/form-sheet.tsx";
import { Losses } from "../../../ui/losses.tsx";
import { useToast } from "../../../ui/toasts.tsx";
import { TypedName } from "../../../ui/typed-name.tsx";
import type { ListedMember } from "./queries.ts";
import { subscriptionText } from "./standing.tsx";
import { useUsersWords } from "./words.ts";

interface Props {
  member: ListedMember;
  onClose: () => void;
  onDone: () => void;
}

/** Lists what is lost and requires the typed username, because deletion cannot be undone. */
export function DeleteDialog({ member, onClose, onDone }: Props) {
  const { remove: words, subscriptions, failures } = useUsersWords();
  const toast = useToast();
  const [typed, setTyped] = useState("");
  const deleting = useCommand({
    mutationFn: () => api("DELETE /users/{id}", { params: { id: member.id } }),
    onSuccess: () => {
      void toast("good", words.done(member.displayName));
      onDone();
    },
  });
  const isNamed = typed.trim().toLowerCase() === member.username.toLowerCase();
  return (
    <FormSheet
      draft={null}
      title={words.title(member.displayName)}
      onClose={onClose}
      submit={{
        label: words.confirm,
        working: words.working,
        busy: deleting.isPending,
        disabled: !isNamed,
        danger: true,
      }}
      onSubmit={() => deleting.mutate()}
    >
      <Losses
        lead={words.lead}
        things={[
          words.configs(member.configCount),
          words.sessions,
          words.subscription(subscriptionText(member, subscriptions, clubNow())),
        ]}
      />
      <p className={cells.quiet}>{words.kept}</p>
      <TypedName label={words.type(member.username)} value={typed} onChange={setTyped} />
      <FormMessage error={deleting.error} failed={failures.remove} />
    </FormSheet>
  );
}
