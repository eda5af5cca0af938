import { api, explain } from "../../../lib/api.ts";
import { useText } from "../../../lib/i18n/use-text.tsx";
import { useCommand } from "../../../lib/use-command.ts";
import { useToast } from "../../../ui/toasts.tsx";
import { MessageSheet } from "./message-sheet.tsx";
import { useInboxWords } from "./words.ts";

interface Props {
  member: { id: string; displayName: string };
  onClose: () => void;
}

/** An admin's own words to one member. */
export function NotifyDialog({ member, onClose }: Props) {
  const { notify: words } = useInboxWords();
  const { failure } = useText();
  const toast = useToast();
  const sending = useCommand({
    mutationFn: (message: string) =>
      api("POST /telegram/notify/{userId}", { params: { userId: member.id }, body: { message } }),
    onSuccess: () => {
      void toast("good", words.done(member.displayName));
      onClose();
    },
  });
  return (
    <MessageSheet
      to={member.id}
      title={words.title(member.displayName)}
      submit={{ label: words.send, working: words.sending, busy: sending.isPending }}
      bad={sending.error && explain(sending.error, words.failed, failure.silent)}
      onSend={(message) => sending.mutate(message)}
      onClose={onClose}
    />
  );
}
