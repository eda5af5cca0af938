import { useSyncExternalStore } from "react";
import { ofPerson } from "../../../lib/person.ts";

/** Whether the widget is open, and what somebody would like to ask there. */
interface Asked {
  readonly open: boolean;
  /** Waits to be put into the chat's text box. */
  readonly text: string | null;
}

const asked = ofPerson((): Asked => ({ open: false, text: null }));
const listeners = new Set<() => void>();

function become(next: Asked) {
  asked.now = next;
  for (const listener of listeners) listener();
}

/** Opens the support widget with this text begun in the chat, for the member to change and send. */
export const askSupport = (text: string) => become({ open: true, text });
export const openSupport = () => become({ ...asked.now, open: true });
export const closeSupport = () => become({ open: false, text: null });
/** Takes the text that was to be asked. */
export const takeAsked = () => become({ ...asked.now, text: null });

export const useAsked = (): Asked =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => asked.now,
  );
