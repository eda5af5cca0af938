import { Button, Textarea } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { useId, useState } from "react";
import { api, explain } from "../../lib/api.ts";
import { useInboxWords } from "../../lib/i18n/inbox.ts";
import { useText } from "../../lib/i18n/use-text.tsx";
import "../../ui/form.css";
import { FormMessage } from "../../ui/form-message.tsx";
import { Sheet } from "../../ui/sheet.tsx";
import { SubmitButton } from "../../ui/submit-button.tsx";
import { useToast } from "../../ui/toasts.tsx";
import classes from "./notify-dialog.module.css";

const MOST = 1_000;

interface Props {
  member: { id: string; displayName: string };
  onClose: () => void;
}

/** An admin's own words to one member (decisions, section 8). */
export function NotifyDialog({ member, onClose }: Props) {
  const { notify: words } = useInboxWords();
  const { common, failure } = useText();
  const formId = useId();
  const toast = useToast();
  const [typed, setTyped] = useState("");
  const [tried, setTried] = useState(false);
  const message = typed.trim();
  const problem = message === "" ? words.empty : message.length > MOST ? words.tooLong : null;
  const sending = useMutation({
    mutationFn: () => api("POST /telegram/notify/{userId}", { params: { userId: member.id }, body: { message } }),
    onSuccess: () => {
      void toast("good", words.done(member.displayName));
      onClose();
    },
  });
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
          <SubmitButton form={formId} busy={sending.isPending} label={words.send} working={words.sending} />
        </div>
      }
    >
      <form
        id={formId}
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          setTried(true);
          if (problem === null && !sending.isPending) sending.mutate();
        }}
      >
        <p className={classes.lead}>{words.lead}</p>
        <Textarea
          label={words.label}
          description={words.left(Math.max(0, MOST - message.length))}
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
          error={(tried || message.length > MOST) && problem}
          rows={6}
          data-autofocus
        />
        <FormMessage bad={sending.error && explain(sending.error, words.failed, failure.silent)} />
      </form>
    </Sheet>
  );
}
