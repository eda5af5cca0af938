import { UNDO_MS } from "@krug/domain/undo";
import { Button } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { ApiError, explain } from "../../../lib/api.ts";
import { deviceNow } from "../../../lib/club-clock.ts";
import { useText } from "../../../lib/i18n/use-text.tsx";
import { person } from "../../../lib/person.ts";
import { useCommand } from "../../../lib/use-command.ts";
import { Ring } from "../../../ui/ring.tsx";
import { useToast } from "../../../ui/toasts.tsx";
import { keepOffer, keptOffer, type Offer } from "./offer.ts";
import { undo } from "./undo.ts";
import classes from "./undo-toast.module.css";
import { useUndoWords } from "./words.ts";

/** One at a time: it is about the last press. */
let shown: string | null = null;
const MOST_NAMED = 3;

export function offerUndo(offer: Omit<Offer, "until">): void {
  show({ ...offer, until: deviceNow() + UNDO_MS });
}

/** After a reload. */
export function offerAgain(): void {
  const offer = keptOffer();
  if (offer !== null) show(offer);
}

function show(offer: Offer): void {
  close();
  keepOffer(offer);
  shown = notifications.show({
    message: <UndoToast offer={offer} />,
    icon: <Ring state="done" size={22} />,
    className: classes.toast ?? "",
    autoClose: Math.max(0, offer.until - deviceNow()),
    withCloseButton: false,
  });
}

function UndoToast({ offer }: { offer: Offer }) {
  const words = useUndoWords();
  const { failure } = useText();
  const toast = useToast();
  const queryClient = useQueryClient();
  useEffect(() => person.onChange(close), []);
  const undoing = useCommand({
    mutationFn: () => undo(offer),
    // While the panel answers, the button stays.
    onMutate: () => {
      if (shown !== null) notifications.update({ id: shown, message: <UndoToast offer={offer} />, autoClose: false });
    },
    onSuccess: ({ undone, refused }) => {
      close();
      if (refused.length === 0) void toast("good", words.done);
      else {
        const named = refused.slice(0, MOST_NAMED).map((each) => words.because(each.displayName, each.message));
        const more = refused.length - named.length;
        void toast("bad", words.partly(undone, [...named, ...(more > 0 ? [words.others(more)] : [])].join(" ")));
      }
      if (undone > 0) offer.onUndone?.();
    },
    onError: (error) => {
      close();
      void toast("bad", explain(error, words.failed, failure.silent));
      // Without a connection another press may still be in time.
      if (!(error instanceof ApiError) && offer.until > deviceNow()) show(offer);
    },
    onSettled: () => queryClient.invalidateQueries(),
  });
  return (
    <div className={classes.row}>
      <span>{offer.message}</span>
      <Button variant="subtle" aria-disabled={undoing.isPending || undefined} onClick={() => undoing.mutate()}>
        {undoing.isPending ? words.undoing : words.undo}
      </Button>
    </div>
  );
}

function close(): void {
  keepOffer(null);
  if (shown !== null) notifications.hide(shown);
  shown = null;
}
