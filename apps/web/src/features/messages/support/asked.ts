import { useSyncExternalStore } from "react";
import { ofPerson } from "../../../lib/person.ts";

/** Whether the widget is open, and a question prepared for it. */
interface Asked {
  readonly open: boolean;
  /** To be put into the chat's text box. */
  readonly text: string | null;
}

const asked = ofPerson((): Asked => ({ open: false, text: null }));
const listeners = new Set<() => void>();

function become(next: Asked) {
  asked.now = next;
  for (const listener of listeners) listener();
}

/** Opens the support widget with this text in the chat's text box, for the member to change and send. */
export const askSupport = (text: string) => become({ open: true, text });
export const openSupport = () => become({ ...asked.now, open: true });
export const closeSupport = () => become({ open: false, text: null });
/** Returns the prepared text and removes it. */
export const takeAsked = () => become({ ...asked.now, text: null });

export const useAsked = (): Asked =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => asked.now,
  );
