import { Button, TextInput } from "@mantine/core";
import { useState } from "react";
import { api } from "../../../lib/api.ts";
import { idempotencyKey } from "../../../lib/idempotency-key.ts";
import { useCommand } from "../../../lib/use-command.ts";
import { FormMessage } from "../../../ui/form-message.tsx";
import classes from "./services-field.module.css";
import { useServicesWords } from "./services-words.ts";

/** A member asks staff for a service, inside another form. `sought`: what they looked for in vain. */
export function AskService({ sought }: { sought: string }) {
  const words = useServicesWords();
  const [open, setOpen] = useState(false);
  const [typed, setTyped] = useState<string | null>(null);
  const [key, setKey] = useState(idempotencyKey);
  const name = (typed ?? sought).trim();
  const asking = useCommand({
    mutationFn: (service: string) =>
      api("POST /support/tickets", {
        body: {
          subject: words.subject(service),
          description: words.description(service),
          category: "feature",
          service,
        },
        idempotencyKey: key,
      }),
  });
  const send = () => name !== "" && !asking.isPending && asking.mutate(name);
  if (asking.data)
    return (
      <p className={classes.asked} role="status">
        {words.sent(asking.variables)}
      </p>
    );
  if (!open)
    return (
      <Button variant="subtle" className={classes.ask ?? ""} onClick={() => setOpen(true)}>
        {words.ask}
      </Button>
    );
  return (
    <div className={classes.asked}>
      <TextInput
        label={words.name}
        value={typed ?? sought}
        maxLength={64}
        data-autofocus
        onChange={(event) => {
          setTyped(event.currentTarget.value);
          setKey(idempotencyKey());
        }}
        onKeyDown={(event) => {
          if (event.key !== "Enter") return;
          event.preventDefault();
          send();
        }}
        autoComplete="off"
      />
      <Button variant="outline" aria-disabled={name === "" || asking.isPending || undefined} onClick={send}>
        {asking.isPending ? words.sending : words.send}
      </Button>
      <FormMessage error={asking.error} failed={words.failed} />
    </div>
  );
}
