import { Checkbox } from "@mantine/core";
import "@mantine/core/styles/Checkbox.layer.css";
import "@mantine/core/styles/InlineInput.layer.css";
import { useForm } from "@mantine/form";
import { useQueryClient } from "@tanstack/react-query";
import { api } from "../../../lib/api.ts";
import { useText } from "../../../lib/i18n/use-text.tsx";
import { useCommand } from "../../../lib/use-command.ts";
import { FormMessage } from "../../../ui/form-message.tsx";
import { FormSheet } from "../../../ui/form-sheet.tsx";
import { ShownSecret } from "../../../ui/shown-secret.tsx";
import { OwnPassword } from "./own-password.tsx";
import { WEBHOOKS, type Webhook } from "./queries.ts";
import { useWebhooksWords } from "./words.ts";

/** A new signing secret, with or without a day in which the former one also signs. */
export function SecretDialog({ webhook, onClose }: { webhook: Webhook; onClose: () => void }) {
  const words = useWebhooksWords();
  const { secret: say } = words;
  const { account } = useText();
  const queryClient = useQueryClient();
  const form = useForm({
    initialValues: { keepFormer: true, password: "" },
    validate: { password: (value) => (value === "" ? account.passwordMissing : null) },
  });
  const replace = useCommand({
    mutationFn: async ({ keepFormer, password }: typeof form.values) => {
      await api("POST /auth/confirm-password", { body: { password } });
      const { id } = webhook;
      return (await api("POST /admin/webhooks/{id}/secret", { params: { id }, body: { keepFormer } })).secret;
    },
    onSettled: () => queryClient.invalidateQueries({ queryKey: WEBHOOKS }),
  });
  if (replace.data) return <ShownSecret words={words.shown} secret={replace.data} onDone={onClose} />;
  return (
    <FormSheet
      draft={null}
      small
      title={say.title}
      onClose={onClose}
      submit={{ label: say.confirm, working: say.working, busy: replace.isPending }}
      onSubmit={form.onSubmit((wish) => replace.mutate(wish))}
    >
      <p>{say.text}</p>
      <Checkbox
        label={say.keep}
        description={say.keepHint}
        {...form.getInputProps("keepFormer", { type: "checkbox" })}
      />
      <OwnPassword {...form.getInputProps("password")} />
      <FormMessage error={replace.error} failed={say.failed} />
    </FormSheet>
  );
}
