import { useState } from "react";
import { keepForSession, keptForSession } from "../../lib/kept.ts";
import type { TicketId } from "./queries.ts";

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

/** Images outlive the widget; the text also outlives the page, for this browser session. */
const images = new Map<string, readonly Picked[]>();

/** The draft of a thread, and how to change it. */
export function useDraft(memberId: string, ticketId: TicketId) {
  const place = `krug.support.draft.${memberId}.${ticketId ?? "chat"}`;
  const [draft, setDraft] = useState<Draft>(() => ({
    text: keptForSession(place) ?? "",
    images: images.get(place) ?? [],
  }));
  const become = (to: (draft: Draft) => Partial<Draft>) =>
    setDraft((before) => {
      const next = { ...before, ...to(before) };
      keepForSession(place, next.text);
      images.set(place, next.images);
      return next;
    });
  return [draft, become] as const;
}
