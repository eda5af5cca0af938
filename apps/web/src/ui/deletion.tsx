import { type QueryKey, useQueryClient } from "@tanstack/react-query";
import { useSpeech } from "../lib/i18n/use-text.tsx";
import { useCommand } from "../lib/use-command.ts";
import { withReason } from "../lib/with-reason.ts";
import { Ask } from "./ask.tsx";
import { useToast } from "./toasts.tsx";

interface Props {
  words: {
    title: (name: string) => string;
    text: string;
    confirm: string;
    working: string;
    done: (name: string) => string;
    failed: string;
  };
  name: string;
  remove: () => Promise<unknown>;
  /** The list that it stands in, asked for again whatever came of it. */
  list: QueryKey;
  onClose: () => void;
  onDeleted: () => void;
}

/** Asks before one of a list is deleted, and does it. */
export function Deletion({ words, name, remove, list, onClose, onDeleted }: Props) {
  const { text } = useSpeech();
  const toast = useToast();
  const queryClient = useQueryClient();
  const deleting = useCommand({
    mutationFn: remove,
    onSuccess: () => {
      void toast("good", words.done(name));
      onDeleted();
    },
    onSettled: () => queryClient.invalidateQueries({ queryKey: list }),
  });
  return (
    <Ask
      opened
      danger
      onClose={onClose}
      onConfirm={() => deleting.mutate()}
      title={words.title(name)}
      text={words.text}
      confirm={words.confirm}
      working={words.working}
      busy={deleting.isPending}
      bad={deleting.error && withReason(words.failed, deleting.error, text.failure.silent)}
    />
  );
}
