import {
  MOST_MESSAGE_CHARACTERS,
  MOST_SUBJECT_CHARACTERS,
  TICKET_CATEGORIES,
  TICKET_PRIORITIES,
  type TicketCategory,
  type TicketPriority,
} from "@krug/domain/support-rules";
import { Button, NativeSelect, Textarea, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { IconChevronDown } from "@tabler/icons-react";
import { api, explain } from "../../lib/api.ts";
import { focusFirstError } from "../../lib/focus-first-error.ts";
import { useSupportWords } from "../../lib/i18n/support.ts";
import { useText } from "../../lib/i18n/use-text.tsx";
import { idempotencyKey } from "../../lib/idempotency-key.ts";
import { useCommand } from "../../lib/use-command.ts";
import "../../ui/form.css";
import { keepForSession, keptForSession } from "../../lib/kept.ts";
import { useLayer } from "../../lib/layers.ts";
import { FormMessage } from "../../ui/form-message.tsx";
import { Segments } from "../../ui/segments.tsx";
import { SubmitButton } from "../../ui/submit-button.tsx";
import type { Ticket } from "./queries.ts";
import classes from "./support-widget.module.css";
import form from "./ticket-form.module.css";

interface Wish {
  subject: string;
  description: string;
  category: TicketCategory;
  priority: TicketPriority;
}

interface Props {
  memberId: string;
  /** Leaves what was typed for the next time. */
  onBack: () => void;
  onCreated: (ticket: Ticket) => void;
}

const EMPTY: Wish = { subject: "", description: "", category: "general", priority: "medium" };

/** 'Create ticket' (specification, member's side 2). What was begun outlives the widget and the page, for this browser session. */
export function TicketForm({ memberId, onBack, onCreated }: Props) {
  const words = useSupportWords();
  const { failure } = useText();
  useLayer(true, onBack);
  const place = `krug.support.ticket.${memberId}`;
  const forget = () => {
    keepForSession(place, "");
    keepForSession(`${place}.sent`, "{}");
  };
  const fields = useForm<Wish>({
    initialValues: { ...EMPTY, ...(JSON.parse(keptForSession(place) || "{}") as Partial<Wish>) },
    onValuesChange: (values) => keepForSession(place, JSON.stringify(values)),
    validate: {
      subject: (value) => (value.trim() ? null : words.subjectMissing),
      description: (value) => (value.trim() ? null : words.descriptionMissing),
    },
  });
  const create = useCommand({
    mutationFn: (wish: Wish) =>
      api("POST /support/tickets", { body: { ...wish, status: "open" }, idempotencyKey: keyFor(place, wish) }),
    onSuccess: (ticket) => {
      forget();
      onCreated(ticket);
    },
  });

  return (
    <form
      className={form.form}
      aria-labelledby="new-ticket"
      noValidate
      onSubmit={fields.onSubmit((wish) => {
        if (!create.isPending) create.mutate(wish);
      }, focusFirstError(fields))}
    >
      <div className={classes.scroll}>
        <h3 id="new-ticket" className={form.title}>
          {words.createTicket}
        </h3>
        <div className={form.fields}>
          <TextInput
            label={words.subject}
            maxLength={MOST_SUBJECT_CHARACTERS}
            data-autofocus
            autoFocus
            {...fields.getInputProps("subject")}
          />
          <Textarea
            label={words.description}
            autosize
            minRows={4}
            maxRows={10}
            maxLength={MOST_MESSAGE_CHARACTERS}
            classNames={{ input: form.text ?? "" }}
            {...fields.getInputProps("description")}
          />
          <NativeSelect
            label={words.category}
            rightSection={<IconChevronDown size={20} stroke={1.6} aria-hidden="true" />}
            data={TICKET_CATEGORIES.map((value) => ({ value, label: words.categories[value] }))}
            {...fields.getInputProps("category")}
          />
          <Segments
            label={words.priority}
            value={fields.values.priority}
            onChange={(priority) => fields.setFieldValue("priority", priority)}
            choices={TICKET_PRIORITIES.map((value) => ({ value, label: words.priorities[value] }))}
          />
          <FormMessage bad={create.error ? explain(create.error, words.createFailed, failure.silent) : null} />
        </div>
      </div>
      <div className={`${classes.foot} ${form.actions}`}>
        <Button
          variant="subtle"
          size="lg"
          onClick={() => {
            forget();
            onBack();
          }}
        >
          {words.cancel}
        </Button>
        <SubmitButton busy={create.isPending} label={words.create} working={words.creating} />
      </div>
    </form>
  );
}

/** One key for one wish: what is sent again unchanged after a lost answer opens no second ticket. */
function keyFor(place: string, wish: Wish): string {
  const text = JSON.stringify(wish);
  const sent = JSON.parse(keptForSession(`${place}.sent`) ?? "{}") as { text?: string; key?: string };
  if (sent.text === text && sent.key !== undefined) return sent.key;
  const key = idempotencyKey();
  keepForSession(`${place}.sent`, JSON.stringify({ text, key }));
  return key;
}
