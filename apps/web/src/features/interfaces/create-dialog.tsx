import { Button, TextInput } from "@mantine/core";
import { useState } from "react";
import { api } from "../../lib/api.ts";
import { useText } from "../../lib/i18n/use-text.tsx";
import { useCommand } from "../../lib/use-command.ts";
import { withReason } from "../../lib/with-reason.ts";
import { FormMessage } from "../../ui/form-message.tsx";
import { FormSheet } from "../../ui/form-sheet.tsx";
import { useToast } from "../../ui/toasts.tsx";
import type { Server } from "../servers/index.ts";
import { useInterfacesWords } from "./words.ts";

interface Props {
  server: Server;
  onClose: () => void;
  onDone: () => void;
  /** One that another program made is asked for instead. */
  onMoveIn: () => void;
}

/** Creates the next interface of a server; its machine says in the answer whether it is up. */
export function CreateDialog({ server, onClose, onDone, onMoveIn }: Props) {
  const { create: words, moveIn, failures } = useInterfacesWords();
  const { failure } = useText();
  const toast = useToast();
  const [name, setName] = useState("");
  const creating = useCommand({
    mutationFn: () =>
      api("POST /admin/servers/{serverId}/create-interface", {
        params: { serverId: server.id },
        body: name.trim() === "" ? {} : { name: name.trim() },
      }),
    onSuccess: ({ interface: made }) => {
      void toast("good", made.conflict === null ? words.done(made.name) : words.notUp(made.name));
      onDone();
    },
  });
  return (
    <FormSheet
      title={words.title}
      onClose={onClose}
      submit={{ label: words.submit, working: words.working, busy: creating.isPending }}
      onSubmit={() => creating.mutate()}
    >
      <p>{words.lead}</p>
      <TextInput
        label={words.name}
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
        placeholder={`Interface ${server.interfaceCount + 1}`}
        maxLength={64}
        autoComplete="off"
        data-autofocus
      />
      <Button variant="subtle" size="lg" onClick={onMoveIn}>
        {moveIn.offer}
      </Button>
      <FormMessage bad={creating.error && withReason(failures.create, creating.error, failure.silent)} />
    </FormSheet>
  );
}
