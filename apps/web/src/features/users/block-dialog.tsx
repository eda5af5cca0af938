import { Button, Checkbox } from "@mantine/core";
import "@mantine/core/styles/Checkbox.layer.css";
import "@mantine/core/styles/InlineInput.layer.css";
import { useState } from "react";
import { api, explain } from "../../lib/api.ts";
import { useText } from "../../lib/i18n/use-text.tsx";
import { useCommand } from "../../lib/use-command.ts";
import { FormMessage } from "../../ui/form-message.tsx";
import { Sheet, SheetActions } from "../../ui/sheet.tsx";
import { SubmitButton } from "../../ui/submit-button.tsx";
import { useToast } from "../../ui/toasts.tsx";
import classes from "./users.module.css";
import { useUsersWords } from "./words.ts";

interface Props {
  member: { id: string; displayName: string; isActive: boolean };
  onClose: () => void;
  onDone: () => void;
}

/** Asks before blocking a member: sessions end and devices disconnect at once. */
export function BlockDialog({ member, onClose, onDone }: Props) {
  const { block: words, failures } = useUsersWords();
  const { failure } = useText();
  const toast = useToast();
  const [configsToo, setConfigsToo] = useState(true);
  const blocking = useCommand({
    mutationFn: () =>
      api("PUT /users/{id}", {
        params: { id: member.id },
        body: { isActive: false, blockConfigs: configsToo, expected: { isActive: member.isActive } },
      }),
    onSuccess: () => {
      void toast("good", words.done(member.displayName));
      onDone();
    },
  });
  return (
    <BlockQuestion
      title={words.title(member.displayName)}
      configsToo={configsToo}
      onConfigsToo={setConfigsToo}
      onClose={onClose}
      onConfirm={() => blocking.mutate()}
      busy={blocking.isPending}
      bad={blocking.error && explain(blocking.error, failures.status, failure.silent)}
    />
  );
}

interface QuestionProps {
  title: string;
  configsToo: boolean;
  /** null: it was begun with what is chosen. */
  onConfigsToo: ((configsToo: boolean) => void) | null;
  /** The button's label where it goes on with what was begun. */
  confirm?: string | undefined;
  onClose: () => void;
  onConfirm: () => void;
  busy: boolean;
  /** How far a long block has come, in words. */
  progress?: string | null;
  bad: string | null;
}

/** The question itself, for one member or for many. */
export function BlockQuestion(props: QuestionProps) {
  const { title, configsToo, onConfigsToo, confirm, onClose, onConfirm, busy, progress, bad } = props;
  const { block: words } = useUsersWords();
  const { common } = useText();
  return (
    <Sheet opened onClose={onClose} title={title} small>
      <div className={classes.pair}>
        <p>{words.text}</p>
        <Checkbox
          label={words.configsToo}
          description={words.configsMore}
          checked={configsToo}
          disabled={onConfigsToo === null}
          onChange={(event) => onConfigsToo?.(event.currentTarget.checked)}
        />
        <FormMessage bad={bad} />
        <SheetActions>
          <Button variant="subtle" onClick={onClose} data-autofocus>
            {common.cancel}
          </Button>
          <SubmitButton
            danger
            type="button"
            size="sm"
            busy={busy}
            label={confirm ?? words.confirm}
            working={progress ?? words.working}
            onClick={onConfirm}
          />
        </SheetActions>
      </div>
    </Sheet>
  );
}
