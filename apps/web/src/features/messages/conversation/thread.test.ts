import { expect, test } from "vitest";
import { uuid } from "../../../testing/samples.ts";
import type { Message } from "./line.ts";
import { merged, PAGE_SIZE, withOlder, withSent } from "./thread.ts";

const message = (sequence: number): Message => ({
  id: uuid(sequence),
  sequence,
  userId: uuid(1),
  ticketId: null,
  content: `${sequence}`,
  isAdmin: false,
  attachments: [],
  createdAt: "2026-11-21T09:00:00.000Z",
  readAt: null,
});
const from = (first: number, last: number) => Array.from({ length: last - first + 1 }, (_, n) => message(first + n));
const numbers = ({ messages }: { messages: readonly Message[] }) => messages.map(({ sequence }) => sequence);
const span = (first: number, last: number) => numbers({ messages: from(first, last) });

test("a short page is the whole thread", () => {
  expect(merged(undefined, from(1, 3))).toEqual({ messages: from(1, 3), hasOlder: false });
  expect(merged({ messages: from(1, 2), hasOlder: false }, from(1, 3)).hasOlder).toBe(false);
});

test("a full page that touches the known messages continues them, without duplicates", () => {
  const known = { messages: from(1, 60), hasOlder: false };
  const joined = merged(known, from(21, 20 + PAGE_SIZE));
  expect(numbers(joined)).toEqual(span(1, 70));
  expect(joined.hasOlder).toBe(false);
});

test("after a long absence the thread starts over, and older messages load from there without a gap", () => {
  const back = merged({ messages: from(1, 10), hasOlder: false }, from(101, 150));
  expect([numbers(back), back.hasOlder]).toEqual([span(101, 150), true]);
  const older = withOlder(back, from(51, 100));
  expect([numbers(older), older.hasOlder]).toEqual([span(51, 150), true]);
  const all = withOlder(older, from(1, 50).slice(10));
  expect([numbers(all), all.hasOlder]).toEqual([span(11, 150), false]);
});

test("the new page shows what the other side has read since", () => {
  const read = { ...message(1), readAt: "2026-11-21T09:01:00.000Z" };
  expect(merged({ messages: [message(1)], hasOlder: false }, [read]).messages[0]?.readAt).toBe(read.readAt);
});

test("a message that was just sent appears in its place, once", () => {
  const known = { messages: from(1, 2), hasOlder: true };
  expect(numbers(withSent(known, message(4)))).toEqual([1, 2, 4]);
  expect(numbers(withSent(withSent(known, message(4)), message(4)))).toEqual([1, 2, 4]);
  expect(numbers(withSent(undefined, message(1)))).toEqual([1]);
  expect(numbers(merged(withSent(known, message(4)), from(1, 4)))).toEqual([1, 2, 3, 4]);
});
