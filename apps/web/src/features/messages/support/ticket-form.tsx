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
import { api } from "../../../lib/api.ts";
import { begun, useBegun } from "../../../lib/begun.ts";
import { focusFirstError } from "../../../lib/focus-first-error.ts";
import { useSupportWords } from "../../../lib/i18n/support.ts";
import { idempotencyKey } from "../../../lib/idempotency-key.ts";
import { useCommand } from "../../../lib/use-command.ts";
import "../../../ui/form.css";
import { useLayer } from "../../../lib/layers.ts";
import { FormMessage } from "../../../ui/form-message.tsx";
import { Segments } from "../../../ui/segments.tsx";
import { SubmitButton } from "../../../ui/submit-button.tsx";
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
  /** Keeps what was typed for the next time. */
  onBack: () => void;
  onCreated: (ticket: Ticket) => void;
}

const EMPTY: Wish = { subject: "", description: "", category: "general", priority: "medium" };

const BEGUN = "ticket";
const SENT = "ticket.sent";

/** 'Create ticket' (specification, member's side 2). A draft outlives the widget and the page. */
export function TicketForm(props: Props) {
  return useBegun() && <Fields {...props} />;
}

function Fields({ onBack, onCreated }: Props) {
  const words = useSupportWords();
  useLayer(true, onBack);
  const forget = () => {
    begun.write(BEGUN, undefined);
    begun.write(SENT, undefined);
  };
  const fields = useForm<Wish>({
    initialValues: begun.read<Wish>(BEGUN) ?? EMPTY,
    onValuesChange: (values) => begun.write(BEGUN, values),
    validate: {
      subject: (value) => (value.trim() ? null : words.subjectMissing),
      description: (value) => (value.trim() ? null : words.descriptionMissing),
    },
  });
  const create = useCommand({
    mutationFn: (wish: Wish) =>
      api("POST /support/tickets", { body: { ...wish, status: "open" }, idempotencyKey: keyFor(wish) }),
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
          <FormMessage error={create.error} failed={words.createFailed} />
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

/** One key per input: sending it again unchanged after a lost answer opens no second ticket. */
function keyFor(wish: Wish): string {
  const text = JSON.stringify(wish);
  const sent = begun.read<{ text: string; key: string }>(SENT);
  if (sent?.text === text) return sent.key;
  const key = idempotencyKey();
  begun.write(SENT, { text, key });
  return key;
}
