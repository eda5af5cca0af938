import { begun, useBegun } from "../../../lib/begun.ts";
import type { TicketId } from "./line.ts";

/** An image that waits to be sent. */
export interface Picked {
  readonly id: string;
  readonly dataUrl: string;
}

/** What was typed and not sent. */
interface Draft {
  readonly text: string;
  readonly images: readonly Picked[];
}

/** A thread's draft, and how to change it. Images are stored separately, so that typing a letter does not rewrite them. */
export function useDraft(writer: string, ticketId: TicketId) {
  useBegun();
  const thread = `${writer}.${ticketId ?? "chat"}`;
  const draft = (): Draft => ({
    text: begun.read<string>(`draft.${thread}`) ?? "",
    images: begun.read<readonly Picked[]>(`images.${thread}`) ?? [],
  });
  const become = (to: (draft: Draft) => Partial<Draft>) => {
    const { text, images } = to(draft());
    if (text !== undefined) begun.write(`draft.${thread}`, text || undefined);
    if (images !== undefined) begun.write(`images.${thread}`, images.length > 0 ? images : undefined);
  };
  return [draft(), become] as const;
}
