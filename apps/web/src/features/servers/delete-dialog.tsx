import { api } from "../../lib/api.ts";
import { useText } from "../../lib/i18n/use-text.tsx";
import { useCommand } from "../../lib/use-command.ts";
import { withReason } from "../../lib/with-reason.ts";
import { Ask, Tell } from "../../ui/ask.tsx";
import { useToast } from "../../ui/toasts.tsx";
import type { Server } from "./queries.ts";
import { useServersWords } from "./words.ts";

/** Asks before a server is deleted, or says why it cannot be. */
export function DeleteDialog({ server, onClose, onDone }: { server: Server; onClose: () => void; onDone: () => void }) {
  const { remove: words } = useServersWords();
  const { failure } = useText();
  const toast = useToast();
  const deleting = useCommand({
    mutationFn: () => api("DELETE /admin/servers/{id}", { params: { id: server.id } }),
    onSuccess: () => {
      void toast("good", words.done(server.name));
      onDone();
    },
  });
  const reason = server.whyNotDeleted;
  if (reason !== null)
    return (
      <Tell onClose={onClose} title={words.cannot(server.name)} understood={words.understood}>
        <p>{reason === "server.in_use" ? words.why[reason](server.configCount) : words.why[reason]}</p>
      </Tell>
    );
  return (
    <Ask
      opened
      onClose={onClose}
      onConfirm={() => deleting.mutate()}
      title={words.title(server.name)}
      text={words.text(server.interfaceCount)}
      confirm={words.confirm}
      working={words.working}
      busy={deleting.isPending}
      bad={deleting.error && withReason(words.failed, deleting.error, failure.silent)}
      danger
    />
  );
}
