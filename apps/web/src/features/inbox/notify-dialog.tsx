import { Textarea } from "@mantine/core";
import { useState } from "react";
import { api, explain } from "../../lib/api.ts";
import { useText } from "../../lib/i18n/use-text.tsx";
import { useCommand } from "../../lib/use-command.ts";
import { FormMessage } from "../../ui/form-message.tsx";
import { FormSheet } from "../../ui/form-sheet.tsx";
import { useToast } from "../../ui/toasts.tsx";
import { useInboxWords } from "./words.ts";

const MOST = 1_000;

interface Props {
  member: { id: string; displayName: string };
  onClose: () => void;
}

/** An admin's own words to one member (decisions, section 8). */
export function NotifyDialog({ member, onClose }: Props) {
  const { notify: words } = useInboxWords();
  const { failure } = useText();
  const toast = useToast();
  const [typed, setTyped] = useState("");
  const [tried, setTried] = useState(false);
  const message = typed.trim();
  const problem = message === "" ? words.empty : message.length > MOST ? words.tooLong : null;
  const sending = useCommand({
    mutationFn: () => api("POST /telegram/notify/{userId}", { params: { userId: member.id }, body: { message } }),
    onSuccess: () => {
      void toast("good", words.done(member.displayName));
      onClose();
    },
  });
  const send = () => {
    setTried(true);
    if (problem === null) sending.mutate();
  };
  return (
    <FormSheet
      title={words.title(member.displayName)}
      onClose={onClose}
      submit={{ label: words.send, working: words.sending, busy: sending.isPending }}
      onSubmit={send}
    >
      <p>{words.lead}</p>
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
    </FormSheet>
  );
}
