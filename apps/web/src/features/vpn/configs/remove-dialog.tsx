import { notifyManager } from "@tanstack/react-query";
import { useMemberText } from "../../../lib/i18n/member.ts";
import { Ask } from "../../../ui/ask.tsx";
import type { Config } from "./queries.ts";
import type { Removal } from "./use-removal.ts";

interface Props {
  config: Config;
  remove: Removal["remove"];
  onClose: () => void;
}

/** A device's card is removed, and its access with it. For a minute both can be restored. */
export function RemoveDialog({ config, remove, onClose }: Props) {
  const { card, remove: words } = useMemberText();
  return (
    <Ask
      onClose={onClose}
      title={words.title(config.name)}
      text={words.text}
      confirm={words.confirm}
      working={words.working}
      danger
      of={remove}
      failed={card.removeFailed}
      // After the page has the list: the focus would return to a button that is about to go.
      onConfirm={() => remove.mutate(config, { onSuccess: () => notifyManager.schedule(onClose) })}
    />
  );
}
