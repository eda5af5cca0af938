import { UNDO_MS } from "@krug/domain/undo";
import { Button } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { explain } from "../../../lib/api.ts";
import { useText } from "../../../lib/i18n/use-text.tsx";
import { person } from "../../../lib/person.ts";
import { useCommand } from "../../../lib/use-command.ts";
import { Ring } from "../../../ui/ring.tsx";
import { useToast } from "../../../ui/toasts.tsx";
import { useDormantWords } from "./dormant-words.ts";

interface Saved {
  name: string;
  /** Saves the end that was there before. */
  back: () => Promise<unknown>;
}

/** Says that a device's end is saved, and takes it back at one press. */
export function tellEndSaved(saved: Saved): void {
  const id = `end-saved-${saved.name}`;
  notifications.hide(id);
  notifications.show({
    id,
    message: <EndSaved saved={saved} hide={() => notifications.hide(id)} />,
    icon: <Ring state="done" size={22} />,
    className: "good",
    autoClose: UNDO_MS,
    withCloseButton: false,
  });
}

function EndSaved({ saved: { name, back }, hide }: { saved: Saved; hide: () => void }) {
  const words = useDormantWords();
  const { failure } = useText();
  const toast = useToast();
  const queryClient = useQueryClient();
  useEffect(() => person.onChange(hide), [hide]);
  const undoing = useCommand({
    mutationFn: back,
    onSuccess: () => void toast("good", words.undone(name)),
    onError: (error) => void toast("bad", explain(error, words.undoFailed, failure.silent)),
    onSettled: () => {
      hide();
      return queryClient.invalidateQueries();
    },
  });
  return (
    <div style={{ display: "flex", alignItems: "center", justifyContent: "space-between", gap: 8 }}>
      <span>{words.saved(name)}</span>
      <Button variant="subtle" onClick={() => !undoing.isPending && undoing.mutate()}>
        {words.undo}
      </Button>
    </div>
  );
}
