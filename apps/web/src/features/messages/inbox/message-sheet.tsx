import { Textarea } from "@mantine/core";
import { useState } from "react";
import { draftOf, eachBy } from "../../../lib/use-draft.ts";
import { FormMessage } from "../../../ui/form-message.tsx";
import { FormSheet } from "../../../ui/form-sheet.tsx";
import { useInboxWords } from "./words.ts";

const MOST = 1_000;

interface Props {
  /** Whom the message is for: a draft belongs to them. */
  to: string;
  title: string;
  submit: { label: string; working: string; busy: boolean };
  bad: string | null;
  /** The message has been sent to some already and can no longer be changed. */
  isFixed?: boolean;
  onSend: (message: string) => void;
  onClose: () => void;
}

/** An admin's own words to members (decisions, section 8). */
export function MessageSheet({ to, title, submit, bad, isFixed = false, onSend, onClose }: Props) {
  const { notify: words } = useInboxWords();
  const [typed, setTyped] = useState("");
  const [tried, setTried] = useState(false);
  const message = typed.trim();
  const problem = message === "" ? words.empty : message.length > MOST ? words.tooLong : null;
  const send = () => {
    setTried(true);
    if (problem === null && !submit.busy) onSend(message);
  };
  return (
    <FormSheet
      draft={draftOf(`message.${to}`, { typed }, { typed: "" }, eachBy({ typed: setTyped }))}
      asksBeforeLoss
      title={title}
      onClose={onClose}
      submit={submit}
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
        readOnly={isFixed}
        data-autofocus
      />
      <FormMessage bad={bad} />
    </FormSheet>
  );
}
