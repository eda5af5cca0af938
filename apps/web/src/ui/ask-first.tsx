import { type QueryKey, useQueryClient } from "@tanstack/react-query";
import { useCommand } from "../lib/use-command.ts";
import { Ask } from "./ask.tsx";
import { useToast } from "./toasts.tsx";

interface Props<Answer> {
  words: Record<"title" | "text" | "confirm" | "working" | "failed", string>;
  send: () => Promise<Answer>;
  /** The message on success. */
  done: (answer: Answer) => string;
  /** The queries to refetch, whatever the result. */
  changes: QueryKey;
  onClose: () => void;
  /** Called instead of `onClose` on success. */
  onDone?: () => void;
}

/** Asks before something that hurts, does it, and reports the result. */
export function AskFirst<Answer>({ words, send, done, changes, onClose, onDone = onClose }: Props<Answer>) {
  const toast = useToast();
  const queryClient = useQueryClient();
  const sending = useCommand({
    mutationFn: send,
    onSuccess: (answer) => {
      void toast("good", done(answer));
      onDone();
    },
    onSettled: () => queryClient.invalidateQueries({ queryKey: changes }),
  });
  return (
    <Ask
      danger
      onClose={onClose}
      onConfirm={() => sending.mutate()}
      title={words.title}
      text={words.text}
      words={words}
      of={sending}
      reason
    />
  );
}
