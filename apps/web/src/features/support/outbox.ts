import { useSyncExternalStore } from "react";
import { explain, NoAnswer } from "../../lib/api.ts";
import { idempotencyKey } from "../../lib/idempotency-key.ts";
import { keepForSession, keptForSession } from "../../lib/kept.ts";
import type { Message, TicketId } from "./queries.ts";

/** What a member has written and the panel has not confirmed yet. */
export interface Letter {
  /** The same however often it is sent: what arrived although its answer was lost does not stand there twice. */
  readonly key: string;
  readonly ticketId: TicketId;
  readonly content: string;
  /** Data URLs. */
  readonly images: readonly string[];
  readonly writtenAtMs: number;
  readonly state: "sending" | "failed";
  /** Why it failed, in the panel's words; null while nobody knows. */
  readonly reason: string | null;
}

type Send = (letter: Letter) => Promise<Message>;

const place = (memberId: string) => `krug.support.outbox.${memberId}`;
const letters = new Map<string, readonly Letter[]>();
const listeners = new Set<() => void>();
/** Letters of one thread leave one after the other, so that they arrive in their order. */
let leaving: Promise<unknown> = Promise.resolve();

/** A letter that outlived its page may have arrived or not: it is shown as not sent, and sending it again is safe. */
function lettersOf(memberId: string): readonly Letter[] {
  const known = letters.get(memberId);
  if (known !== undefined) return known;
  const found = (JSON.parse(keptForSession(place(memberId)) ?? "[]") as Letter[]).map(
    (letter): Letter => ({ ...letter, state: "failed" }),
  );
  letters.set(memberId, found);
  return found;
}

function write(memberId: string, next: readonly Letter[]) {
  letters.set(memberId, next);
  keepForSession(place(memberId), JSON.stringify(next));
  for (const listener of listeners) listener();
}

const change = (memberId: string, key: string, to: Partial<Letter>) =>
  write(
    memberId,
    lettersOf(memberId).map((letter) => (letter.key === key ? { ...letter, ...to } : letter)),
  );

export const discard = (memberId: string, key: string) =>
  write(
    memberId,
    lettersOf(memberId).filter((letter) => letter.key !== key),
  );

/** Puts a letter on its way; what becomes of it is seen in the outbox. */
export function post(
  memberId: string,
  { ticketId, content, images }: Pick<Letter, "ticketId" | "content" | "images">,
  send: Send,
) {
  const letter: Letter = {
    key: idempotencyKey(),
    ticketId,
    content,
    images,
    writtenAtMs: Date.now(),
    state: "sending",
    reason: null,
  };
  write(memberId, [...lettersOf(memberId), letter]);
  deliver(memberId, letter, send);
}

export function retry(memberId: string, letter: Letter, send: Send) {
  change(memberId, letter.key, { state: "sending", reason: null });
  deliver(memberId, letter, send);
}

function deliver(memberId: string, letter: Letter, send: Send) {
  leaving = leaving.then(() =>
    send(letter).then(
      () => discard(memberId, letter.key),
      (error: unknown) =>
        change(memberId, letter.key, {
          state: "failed",
          reason: error instanceof NoAnswer ? null : explain(error, "", "") || null,
        }),
    ),
  );
}

/** A member's letters of one thread that are not confirmed, in the order in which they were written. */
export function useLetters(memberId: string, ticketId: TicketId): readonly Letter[] {
  const all = useSyncExternalStore(subscribe, () => lettersOf(memberId));
  return all.filter((letter) => letter.ticketId === ticketId);
}

function subscribe(listener: () => void) {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** For tests: as a page that was just opened. */
export function reopenOutbox() {
  letters.clear();
}
