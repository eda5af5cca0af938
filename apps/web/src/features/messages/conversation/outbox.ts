import { explain, NoAnswer } from "../../../lib/api.ts";
import { begun, useBegun } from "../../../lib/begun.ts";
import { clubNow } from "../../../lib/club-clock.ts";
import { idempotencyKey } from "../../../lib/idempotency-key.ts";
import { ofPerson } from "../../../lib/person.ts";
import type { Message, TicketId, Written } from "./line.ts";

/** A written message that the panel has not confirmed yet. */
interface Unsent extends Written {
  readonly ticketId: TicketId;
  readonly writtenAtMs: number;
  /** Why it failed, in the panel's words; null if unknown. */
  readonly reason: string | null;
}
export interface Letter extends Unsent {
  readonly state: "sending" | "failed";
}

type Send = (letter: Unsent) => Promise<Message>;

const outboxOf = (writer: string) => `letter.${writer}.`;
const placeOf = (writer: string, { key }: Unsent) => outboxOf(writer) + key;
/** Messages are sent one after the other, so that those of one thread arrive in order. */
const desk = ofPerson(() => ({ leaving: Promise.resolve() as Promise<unknown>, keys: new Set<string>() }));

export const discard = (writer: string, letter: Unsent) => begun.write(placeOf(writer, letter), undefined);

/** Starts to send a message. The outbox shows its progress. */
export function post(
  writer: string,
  { ticketId, content, images }: Pick<Letter, "ticketId" | "content" | "images">,
  send: Send,
) {
  retry(writer, { key: idempotencyKey(), ticketId, content, images, writtenAtMs: clubNow(), reason: null }, send);
}

export function retry(writer: string, { key, ticketId, content, images, writtenAtMs }: Unsent, send: Send) {
  const letter: Unsent = { key, ticketId, content, images, writtenAtMs, reason: null };
  const mine = desk.now;
  /** An answer for a person who has left is dropped. */
  const end = (reason: string | null | undefined) => {
    if (mine !== desk.now) return;
    mine.keys.delete(key);
    begun.write(placeOf(writer, letter), reason === undefined ? undefined : { ...letter, reason });
  };
  mine.keys.add(key);
  begun.write(placeOf(writer, letter), letter);
  mine.leaving = mine.leaving.then(async () => {
    if (mine !== desk.now) return;
    try {
      await send(letter);
      end(undefined);
    } catch (error) {
      end(error instanceof NoAnswer ? null : explain(error, "", "") || null);
    }
  });
}

/** A writer's unconfirmed messages of one thread, in the order in which they were written. */
export function useLetters(writer: string, ticketId: TicketId): readonly Letter[] {
  useBegun();
  return (
    begun
      .all<Unsent>(outboxOf(writer))
      .filter((letter) => letter.ticketId === ticketId)
      .sort((a, b) => a.writtenAtMs - b.writtenAtMs)
      // A message that outlived its page may or may not have arrived: it is shown as not sent, and sending it again is safe.
      .map((letter) => ({ ...letter, state: desk.now.keys.has(letter.key) ? "sending" : "failed" }))
  );
}
