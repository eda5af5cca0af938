import type { Api } from "@krug/contract/api";
import { Button } from "@mantine/core";
import { useCommand } from "../../../lib/use-command.ts";
import { Ask } from "../../../ui/ask.tsx";
import { Sheet } from "../../../ui/sheet.tsx";
import { LinkShown } from "./link-shown.tsx";
import { useUsersWords } from "./words.ts";

export type OneTimeLink = Api["POST /users/{id}/password-link"]["answer"];

interface Props {
  title: string;
  ask: string;
  /** What the link does, shown next to it. */
  lead: string;
  failed: string;
  make: () => Promise<OneTimeLink>;
  onMade?: () => void;
  onClose: () => void;
}

/** Asks for confirmation, creates a one-time link and shows it. */
export function LinkDialog({ title, ask, lead, failed, make, onMade, onClose }: Props) {
  const { link: words } = useUsersWords();
  const making = useCommand({ mutationFn: make, onSuccess: () => onMade?.() });
  if (!making.data)
    return (
      <Ask
        onClose={onClose}
        onConfirm={() => making.mutate()}
        title={title}
        text={ask}
        confirm={words.make}
        working={words.working}
        of={making}
        failed={failed}
      />
    );
  return <LinkSheet title={title} lead={lead} link={making.data} onClose={onClose} />;
}

/** A new link, shown only once. */
export function LinkSheet({
  title,
  lead,
  link,
  onClose,
}: {
  title: string;
  lead: string;
  link: OneTimeLink;
  onClose: () => void;
}) {
  const { link: words } = useUsersWords();
  return (
    <Sheet
      onClose={onClose}
      title={title}
      footer={
        <Button fullWidth size="lg" onClick={onClose}>
          {words.done}
        </Button>
      }
    >
      <LinkShown lead={lead} {...link} />
    </Sheet>
  );
}
