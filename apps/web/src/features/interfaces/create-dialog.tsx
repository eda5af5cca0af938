import { Button, TextInput } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { useId, useState } from "react";
import { api } from "../../lib/api.ts";
import { useInterfacesWords } from "../../lib/i18n/interfaces.ts";
import { useText } from "../../lib/i18n/use-text.tsx";
import { withReason } from "../../lib/with-reason.ts";
import "../../ui/form.css";
import { FormMessage } from "../../ui/form-message.tsx";
import { Sheet } from "../../ui/sheet.tsx";
import { SubmitButton } from "../../ui/submit-button.tsx";
import { useToast } from "../../ui/toasts.tsx";
import type { Server } from "../servers/index.ts";
import classes from "./interfaces.module.css";

/** Creates the next interface of a server; its machine says in the answer whether it is up. */
export function CreateDialog({ server, onClose, onDone }: { server: Server; onClose: () => void; onDone: () => void }) {
  const { create: words, failures } = useInterfacesWords();
  const { common, failure } = useText();
  const formId = useId();
  const toast = useToast();
  const [name, setName] = useState("");
  const creating = useMutation({
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
    <Sheet
      opened
      onClose={onClose}
      title={words.title}
      footer={
        <div className={classes.actions}>
          <Button variant="subtle" size="lg" onClick={onClose}>
            {common.cancel}
          </Button>
          <SubmitButton form={formId} busy={creating.isPending} label={words.submit} working={words.working} />
        </div>
      }
    >
      <form
        id={formId}
        className={classes.form}
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          if (!creating.isPending) creating.mutate();
        }}
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
        <FormMessage bad={creating.error && withReason(failures.create, creating.error, failure.silent)} />
      </form>
    </Sheet>
  );
}
