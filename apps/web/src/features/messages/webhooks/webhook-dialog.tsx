import type { Api } from "@krug/contract/api";
import {
  MOST_WEBHOOK_DESCRIPTION,
  MOST_WEBHOOK_URL,
  WEBHOOK_EVENTS,
  type WebhookEvent,
} from "@krug/domain/webhook-rules";
import { Button, Checkbox, TextInput } from "@mantine/core";
import "@mantine/core/styles/Checkbox.layer.css";
import "@mantine/core/styles/InlineInput.layer.css";
import { api } from "../../../lib/api.ts";
import { changeOf } from "../../../lib/change-of.ts";
import { useText } from "../../../lib/i18n/use-text.tsx";
import { Choices } from "../../../ui/choices.tsx";
import { Conflict } from "../../../ui/conflict.tsx";
import { EditSheet } from "../../../ui/edit-sheet.tsx";
import { useEditWords } from "../../../ui/edit-words.ts";
import { FormMessage } from "../../../ui/form-message.tsx";
import { ShownSecret } from "../../../ui/shown-secret.tsx";
import { inList, useEditForm } from "../../../ui/use-edit-form.ts";
import { OwnPassword } from "./own-password.tsx";
import { WEBHOOKS, type Webhook, webhooksQuery } from "./queries.ts";
import { useWebhooksWords } from "./words.ts";

interface Form {
  url: string;
  description: string;
  events: readonly WebhookEvent[];
  enabled: boolean;
  password: string;
}
type Change = Api["PUT /admin/webhooks/{id}"]["body"];

const formOf = (webhook: Webhook | null): Form => ({
  url: webhook?.url ?? "",
  description: webhook?.description ?? "",
  events: webhook?.events ?? [],
  enabled: webhook?.enabled ?? true,
  password: "",
});
const wishOf = ({ url, description, events }: Form) => ({
  url: url.trim(),
  description: description.trim(),
  events: [...events],
});

/** A new webhook or a change of one, proved by the password; a new one's secret is shown, this once. */
export function WebhookDialog({ webhook, onClose }: { webhook: Webhook | null; onClose: () => void }) {
  const words = useWebhooksWords();
  const { form: say } = words;
  const { account } = useText();
  const edit = useEditWords();
  const confirm = (password: string) => api("POST /auth/confirm-password", { body: { password } });
  const { form, values, set, conflict, ...editing } = useEditForm({
    row: webhook,
    fieldsOf: formOf,
    problemsOf: ({ url, events, password }) => ({
      ...(/^https:\/\/./.test(url.trim()) ? {} : { url: say.urlMissing }),
      ...(events.length === 0 ? { events: say.eventsMissing } : {}),
      ...(password === "" ? { password: account.passwordMissing } : {}),
    }),
    changeOf: (seen, fields): Change => changeOf(seen, { ...wishOf(fields), enabled: fields.enabled }),
    async send(change) {
      await confirm(values.password);
      await api("PUT /admin/webhooks/{id}", { params: { id: webhook?.id ?? "" }, body: change });
      return null;
    },
    async add(fields) {
      await confirm(fields.password);
      return (await api("POST /admin/webhooks", { body: wishOf(fields) })).secret;
    },
    saved: (secret) => (secret === null ? say.saved : null),
    changes: WEBHOOKS,
    lookAgain: inList((client) => client.fetchQuery(webhooksQuery)),
    fieldOf: ({ details }) => (details.field === "url" ? "url" : undefined),
    onClose,
  });
  const { events } = values;
  if (editing.saved) return <ShownSecret words={words.shown} secret={editing.saved} onDone={onClose} />;
  const inWords = (now: Webhook): [string, string][] => [
    [say.url, now.url],
    [say.description, now.description || say.noDescription],
    [say.enabled, now.enabled ? edit.yes : edit.no],
    [say.events, now.events.map((event) => words.events[event]).join(", ")],
  ];
  const hasAll = events.length === WEBHOOK_EVENTS.length;
  return (
    <EditSheet
      editing={editing}
      place={`webhook.${webhook?.id ?? "new"}`}
      title={webhook === null ? say.addTitle : say.editTitle}
      onClose={onClose}
      button={webhook === null ? { label: say.create, working: edit.saving } : undefined}
    >
      {conflict && <Conflict found={conflict} title={say.conflict} now={inWords(conflict)} />}
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
      <Choices label={say.events}>
        <Button variant="subtle" size="sm" onClick={() => set({ events: hasAll ? [] : [...WEBHOOK_EVENTS] })}>
          {hasAll ? say.noneOfAll : say.all}
        </Button>
        {WEBHOOK_EVENTS.map((event) => (
          <Checkbox
            key={event}
            label={words.events[event]}
            checked={events.includes(event)}
            onChange={({ currentTarget: { checked } }) =>
              set({ events: WEBHOOK_EVENTS.filter((one) => (one === event ? checked : events.includes(one))) })
            }
          />
        ))}
        <FormMessage bad={typeof form.errors.events === "string" ? form.errors.events : null} />
      </Choices>
      <OwnPassword {...form.getInputProps("password")} />
      <FormMessage error={editing.error} failed={say.failed} />
    </EditSheet>
  );
}
