import { useState } from "react";
import { keepForSession, keptForSession } from "../../lib/kept.ts";
import type { TicketId } from "./line.ts";

/** An image that waits to be sent. */
export interface Picked {
  readonly id: number;
  readonly dataUrl: string;
}

/** What was begun and not sent. */
interface Draft {
  readonly text: string;
  readonly images: readonly Picked[];
}

/** It outlives the widget; the text also outlives the page for this browser session, if it is short enough. */
const drafts = new Map<string, Draft>();

/** The draft of a thread, and how to change it. */
export function useDraft(writer: string, ticketId: TicketId) {
  const place = `krug.support.draft.${writer}.${ticketId ?? "chat"}`;
  const [draft, setDraft] = useState<Draft>(
    () => drafts.get(place) ?? { text: keptForSession(place) ?? "", images: [] },
  );
  const become = (to: (draft: Draft) => Partial<Draft>) =>
    setDraft((before) => {
      const next = { ...before, ...to(before) };
      keepForSession(place, next.text);
      if (next.text === "" && next.images.length === 0) drafts.delete(place);
      else drafts.set(place, next);
      return next;
    });
  return [draft, become] as const;
}

/** For tests. */
export const forgetDrafts = () => drafts.clear();
