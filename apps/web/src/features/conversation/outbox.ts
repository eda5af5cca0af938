import { useSyncExternalStore } from "react";
import { explain, NoAnswer } from "../../lib/api.ts";
import { clubNow } from "../../lib/club-clock.ts";
import { idempotencyKey } from "../../lib/idempotency-key.ts";
import { keepForSession, keptForSession } from "../../lib/kept.ts";
import type { Message, TicketId, Written } from "./line.ts";

/** What somebody has written and the panel has not confirmed yet. */
export interface Letter extends Written {
  readonly ticketId: TicketId;
  readonly writtenAtMs: number;
  readonly state: "sending" | "failed";
  /** Why it failed, in the panel's words; null if unknown. */
  readonly reason: string | null;
}

type Send = (letter: Letter) => Promise<Message>;

const place = (writer: string) => `krug.support.outbox.${writer}`;
const letters = new Map<string, readonly Letter[]>();
const listeners = new Set<() => void>();
/** Letters of one thread leave one after the other, so that they arrive in their order. */
let leaving: Promise<unknown> = Promise.resolve();

/** A letter that outlived its page may have arrived or not: it is shown as not sent, and sending it again is safe. */
function lettersOf(writer: string): readonly Letter[] {
  const known = letters.get(writer);
  if (known !== undefined) return known;
  const found = (JSON.parse(keptForSession(place(writer)) ?? "[]") as Letter[]).map(
    (letter): Letter => ({ ...letter, state: "failed" }),
  );
  letters.set(writer, found);
  return found;
}

function write(writer: string, next: readonly Letter[]) {
  letters.set(writer, next);
  keepForSession(place(writer), next.length === 0 ? "" : JSON.stringify(next));
  for (const listener of listeners) listener();
}

const change = (writer: string, key: string, to: Partial<Letter>) =>
  write(
    writer,
    lettersOf(writer).map((letter) => (letter.key === key ? { ...letter, ...to } : letter)),
  );

export const discard = (writer: string, key: string) =>
  write(
    writer,
    lettersOf(writer).filter((letter) => letter.key !== key),
  );

/** Puts a letter on its way; what becomes of it is seen in the outbox. */
export function post(
  writer: string,
  { ticketId, content, images }: Pick<Letter, "ticketId" | "content" | "images">,
  send: Send,
) {
  const letter: Letter = {
    key: idempotencyKey(),
    ticketId,
    content,
    images,
    writtenAtMs: clubNow(),
    state: "sending",
    reason: null,
  };
  write(writer, [...lettersOf(writer), letter]);
  deliver(writer, letter, send);
}

export function retry(writer: string, letter: Letter, send: Send) {
  change(writer, letter.key, { state: "sending", reason: null });
  deliver(writer, letter, send);
}

function deliver(writer: string, letter: Letter, send: Send) {
  leaving = leaving.then(() =>
    send(letter).then(
      () => discard(writer, letter.key),
      (error: unknown) =>
        change(writer, letter.key, {
          state: "failed",
          reason: error instanceof NoAnswer ? null : explain(error, "", "") || null,
        }),
    ),
  );
}

/** A writer's letters of one thread that are not confirmed, in the order in which they were written. */
export function useLetters(writer: string, ticketId: TicketId): readonly Letter[] {
  const all = useSyncExternalStore(subscribe, () => lettersOf(writer));
  return all.filter((letter) => letter.ticketId === ticketId);
}

function subscribe(listener: () => void) {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** For tests. */
export const forgetLetters = () => letters.clear();
