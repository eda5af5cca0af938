import {
  MOST_WEBHOOK_DESCRIPTION,
  MOST_WEBHOOK_URL,
  WEBHOOK_EVENTS,
  type WebhookEvent,
} from "@krug/domain/webhook-rules";
import { Button, Checkbox, TextInput } from "@mantine/core";
import "@mantine/core/styles/Checkbox.layer.css";
import "@mantine/core/styles/InlineInput.layer.css";
import { useForm } from "@mantine/form";
import { useQueryClient } from "@tanstack/react-query";
import { ApiError, api, explain } from "../../lib/api.ts";
import { useText } from "../../lib/i18n/use-text.tsx";
import { useCommand } from "../../lib/use-command.ts";
import { FormMessage } from "../../ui/form-message.tsx";
import { FormSheet } from "../../ui/form-sheet.tsx";
import { ShownSecret } from "../../ui/shown-secret.tsx";
import { useToast } from "../../ui/toasts.tsx";
import { OwnPassword } from "./own-password.tsx";
import { WEBHOOKS, type Webhook } from "./queries.ts";
import classes from "./webhooks.module.css";
import { useWebhooksWords } from "./words.ts";

/** A new webhook or a change of one, proved by the password; a new one's secret is shown, this once. */
export function WebhookDialog({ webhook, onClose }: { webhook: Webhook | null; onClose: () => void }) {
  const words = useWebhooksWords();
  const { form: say } = words;
  const { account, failure } = useText();
  const queryClient = useQueryClient();
  const toast = useToast();
  const form = useForm({
    initialValues: {
      url: webhook?.url ?? "",
      description: webhook?.description ?? "",
      events: webhook?.events ?? ([] as WebhookEvent[]),
      enabled: webhook?.enabled ?? true,
      password: "",
    },
    validate: {
      url: (value) => (/^https:\/\/./.test(value.trim()) ? null : say.urlMissing),
      events: (value) => (value.length === 0 ? say.eventsMissing : null),
      password: (value) => (value === "" ? account.passwordMissing : null),
    },
  });
  const { events } = form.values;
  const save = useCommand({
    mutationFn: async ({ password, enabled, ...wish }: typeof form.values) => {
      await api("POST /auth/confirm-password", { body: { password } });
      const body = { ...wish, url: wish.url.trim(), description: wish.description.trim() };
      if (webhook === null) return (await api("POST /admin/webhooks", { body })).secret;
      await api("PUT /admin/webhooks/{id}", { params: { id: webhook.id }, body: { ...body, enabled } });
      return null;
    },
    onError: (error) => {
      if (error instanceof ApiError && error.details.field === "url") form.setFieldError("url", error.message);
    },
    onSuccess: (secret) => {
      if (secret !== null) return;
      void toast("good", say.saved);
      onClose();
    },
    onSettled: () => queryClient.invalidateQueries({ queryKey: WEBHOOKS }),
  });
  if (save.data) return <ShownSecret words={words.shown} secret={save.data} onDone={onClose} />;
  const hasAll = events.length === WEBHOOK_EVENTS.length;
  return (
    <FormSheet
      title={webhook === null ? say.addTitle : say.editTitle}
      onClose={onClose}
      asksBeforeLoss
      submit={{ label: webhook === null ? say.create : say.save, working: say.working, busy: save.isPending }}
      onSubmit={form.onSubmit((wish) => save.mutate(wish))}
    >
      <TextInput
        label={say.url}
        description={say.urlHint}
        placeholder="https://"
        type="url"
        maxLength={MOST_WEBHOOK_URL}
        data-autofocus
        {...form.getInputProps("url")}
      />
      <TextInput
        label={say.description}
        description={say.descriptionHint}
        maxLength={MOST_WEBHOOK_DESCRIPTION}
        {...form.getInputProps("description")}
      />
      {webhook !== null && (
        <Checkbox
          label={say.enabled}
          description={say.enabledHint}
          {...form.getInputProps("enabled", { type: "checkbox" })}
        />
      )}
      <fieldset className={classes.events}>
        <legend>{say.events}</legend>
        <Button
          variant="subtle"
          size="sm"
          onClick={() => form.setFieldValue("events", hasAll ? [] : [...WEBHOOK_EVENTS])}
        >
          {hasAll ? say.noneOfAll : say.all}
        </Button>
        {WEBHOOK_EVENTS.map((event) => (
          <Checkbox
            key={event}
            label={words.events[event]}
            checked={events.includes(event)}
            onChange={({ currentTarget: { checked } }) =>
              form.setFieldValue(
                "events",
                WEBHOOK_EVENTS.filter((one) => (one === event ? checked : events.includes(one))),
              )
            }
          />
        ))}
        <FormMessage bad={typeof form.errors.events === "string" ? form.errors.events : null} />
      </fieldset>
      <OwnPassword {...form.getInputProps("password")} />
      <FormMessage bad={save.error && !form.errors.url ? explain(save.error, say.failed, failure.silent) : null} />
    </FormSheet>
  );
}
