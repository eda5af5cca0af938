import { Button } from "@mantine/core";
import { api, explain } from "../../lib/api.ts";
import { useText } from "../../lib/i18n/use-text.tsx";
import { useCommand } from "../../lib/use-command.ts";
import { Ask } from "../../ui/ask.tsx";
import { Sheet } from "../../ui/sheet.tsx";
import { LinkShown } from "./link-shown.tsx";
import { useUsersWords } from "./words.ts";

interface Props {
  member: { id: string; displayName: string };
  onClose: () => void;
}

/** A one-time link with which a member sets a new password. */
export function LinkDialog({ member, onClose }: Props) {
  const { link: words, failures } = useUsersWords();
  const { failure } = useText();
  const making = useCommand({
    mutationFn: () => api("POST /users/{id}/password-link", { params: { id: member.id } }),
  });
  const title = words.title(member.displayName);
  if (!making.data)
    return (
      <Ask
        opened
        onClose={onClose}
        onConfirm={() => making.mutate()}
        title={title}
        text={words.ask}
        confirm={words.make}
        working={words.working}
        busy={making.isPending}
        bad={making.error && explain(making.error, failures.link, failure.silent)}
      />
    );
  return (
    <Sheet
      opened
      onClose={onClose}
      title={title}
      footer={
        <Button fullWidth size="lg" onClick={onClose}>
          {words.done}
        </Button>
      }
    >
      <LinkShown {...making.data} />
    </Sheet>
  );
}
