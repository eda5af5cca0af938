import { Checkbox } from "@mantine/core";
import "@mantine/core/styles/Checkbox.layer.css";
import "@mantine/core/styles/InlineInput.layer.css";
import { useState } from "react";
import { api, explain } from "../../../lib/api.ts";
import { useText } from "../../../lib/i18n/use-text.tsx";
import { useCommand } from "../../../lib/use-command.ts";
import { Ask } from "../../../ui/ask.tsx";
import { useToast } from "../../../ui/toasts.tsx";
import type { Question } from "./question.ts";
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

interface QuestionProps extends Question {
  configsToo: boolean;
  /** null: fixed, because the action has already started with this choice. */
  onConfigsToo: ((configsToo: boolean) => void) | null;
}

/** The dialog, for one member or for many. */
export function BlockQuestion({ configsToo, onConfigsToo, confirm, progress, ...asked }: QuestionProps) {
  const { block: words } = useUsersWords();
  return (
    <Ask
      {...asked}
      opened
      danger
      text={words.text}
      confirm={confirm ?? words.confirm}
      working={progress ?? words.working}
    >
      <Checkbox
        label={words.configsToo}
        description={words.configsMore}
        checked={configsToo}
        disabled={onConfigsToo === null}
        onChange={(event) => onConfigsToo?.(event.currentTarget.checked)}
      />
    </Ask>
  );
}
