import { Button, TextInput } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { useId, useState } from "react";
import { api, explain } from "../../lib/api.ts";
import { useText } from "../../lib/i18n/use-text.tsx";
import { useUsersWords } from "../../lib/i18n/users.ts";
import "../../ui/form.css";
import { FormMessage } from "../../ui/form-message.tsx";
import { Sheet } from "../../ui/sheet.tsx";
import { SubmitButton } from "../../ui/submit-button.tsx";
import { useToast } from "../../ui/toasts.tsx";
import type { ListedMember } from "./queries.ts";
import { subscriptionText } from "./standing.tsx";
import classes from "./users.module.css";

interface Props {
  member: ListedMember;
  onClose: () => void;
  onDone: () => void;
}

/** Names what is lost, and takes the typed username: there is no way back. */
export function DeleteDialog({ member, onClose, onDone }: Props) {
  const { remove: words, subscriptions, failures } = useUsersWords();
  const { common, failure } = useText();
  const formId = useId();
  const toast = useToast();
  const [typed, setTyped] = useState("");
  const deleting = useMutation({
    mutationFn: () => api("DELETE /users/{id}", { params: { id: member.id } }),
    onSuccess: () => {
      void toast("good", words.done(member.displayName));
      onDone();
    },
  });
  const isNamed = typed.trim().toLowerCase() === member.username.toLowerCase();
  return (
    <Sheet
      opened
      onClose={onClose}
      title={words.title(member.displayName)}
      footer={
        <div className={classes.actions}>
          <Button variant="subtle" size="lg" onClick={onClose}>
            {common.cancel}
          </Button>
          <SubmitButton
            danger
            form={formId}
            busy={deleting.isPending}
            label={words.confirm}
            working={words.working}
            disabled={!isNamed}
          />
        </div>
      }
    >
      <form
        id={formId}
        onSubmit={(event) => {
          event.preventDefault();
          if (isNamed && !deleting.isPending) deleting.mutate();
        }}
      >
        <p>{words.lead}</p>
        <ul className={classes.gone}>
          <li>{words.configs(member.configCount)}</li>
          <li>{words.sessions}</li>
          <li>{words.subscription(subscriptionText(member, subscriptions, Date.now()))}</li>
        </ul>
        <p className={classes.kept}>{words.kept}</p>
        <TextInput
          label={words.type(member.username)}
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          data-autofocus
        />
        <FormMessage bad={deleting.error && explain(deleting.error, failures.remove, failure.silent)} />
      </form>
    </Sheet>
  );
}
