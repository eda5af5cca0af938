import { Button } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { api } from "../../../lib/api.ts";
import { useCommand } from "../../../lib/use-command.ts";
import { useEditing } from "../../../lib/use-editing.ts";
import { FormMessage } from "../../../ui/form-message.tsx";
import { FormSheet } from "../../../ui/form-sheet.tsx";
import { PasswordField } from "../../../ui/password-field.tsx";
import { useToast } from "../../../ui/toasts.tsx";
import { SERVERS, type Server } from "./queries.ts";
import { useServersWords } from "./words.ts";

const SHORTEST = 8;

/** The machine demands another password before anything else: the panel asks for it and changes it there. */
export function NewPassword({ server }: { server: Server }) {
  const { newPassword: words } = useServersWords();
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <Button variant="outline" onClick={() => setIsOpen(true)}>
        {words.action}
      </Button>
      {isOpen && <NewPasswordForm server={server} onClose={() => setIsOpen(false)} />}
    </>
  );
}

function NewPasswordForm({ server, onClose }: { server: Server; onClose: () => void }) {
  const { newPassword: words } = useServersWords();
  const toast = useToast();
  const queryClient = useQueryClient();
  const { form, values } = useEditing({ current: "", password: "" });
  // After set-up the panel has deleted it.
  const asksCurrent = server.credentials?.hasPassword === false;
  const changing = useCommand({
    mutationFn: () =>
      api("POST /admin/servers/{id}/new-password", {
        params: { id: server.id },
        body: { password: values.password, ...(asksCurrent && { current: values.current }) },
      }),
    onSuccess: ({ name }) => {
      void toast("good", words.done(name));
      void queryClient.invalidateQueries({ queryKey: SERVERS });
      onClose();
    },
  });
  const submit = () => {
    const problems = {
      ...(asksCurrent && values.current === "" ? { current: words.currentEmpty } : {}),
      ...(values.password.length < SHORTEST ? { password: words.tooShort } : {}),
    };
    form.setErrors(problems);
    if (Object.keys(problems).length === 0) changing.mutate();
  };
  return (
    <FormSheet
      draft={null}
      title={words.title(server.name)}
      onClose={onClose}
      submit={{ label: words.action, working: words.working, busy: changing.isPending }}
      onSubmit={submit}
      small
    >
      <p>{words.lead(server.credentials?.username ?? "")}</p>
      {asksCurrent && (
        <PasswordField
          label={words.current}
          {...form.getInputProps("current")}
          autoComplete="off"
          maxLength={512}
          data-autofocus
        />
      )}
      <PasswordField
        label={words.password}
        description={words.hint}
        {...form.getInputProps("password")}
        autoComplete="off"
        maxLength={128}
        data-autofocus={!asksCurrent || undefined}
      />
      <FormMessage error={changing.error} failed={words.failed} reason />
    </FormSheet>
  );
}
