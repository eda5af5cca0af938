import { describe, expect, test } from "vitest";
import {
  MOST_MESSAGE_CHARACTERS,
  MOST_SUBJECT_CHARACTERS,
  mayBecome,
  type TicketStatus,
  whyNotMessage,
  whyNotTicket,
} from "./support-rules.ts";

const long = (characters: number) => "ы".repeat(characters);

describe("a message", () => {
  test.each<[string, string, number, string | null]>([
    ["of only words", "не работает", 0, null],
    ["of only an image", "", 1, null],
    ["of blanks and an image", " \n ", 1, null],
    ["of four images", "вот", 4, null],
    ["as long as it may be", long(MOST_MESSAGE_CHARACTERS), 0, null],
    ["of nothing", "", 0, "support.message_empty"],
    ["of blanks", " \n\t ", 0, "support.message_empty"],
    ["a character too long", long(MOST_MESSAGE_CHARACTERS + 1), 0, "support.message_too_long"],
    ["of five images", "вот", 5, "support.too_many_images"],
  ])("%s", (_, content, images, why) => {
    expect(whyNotMessage(content, images)).toBe(why);
  });
});

describe("a ticket", () => {
  test.each<[string, string, string, string | null]>([
    ["with a subject and a description", "Счёт", "Не приходит", null],
    ["with the longest of both", long(MOST_SUBJECT_CHARACTERS), long(MOST_MESSAGE_CHARACTERS), null],
    ["without a subject", " ", "Не приходит", "support.subject_invalid"],
    ["with a page for a subject", long(MOST_SUBJECT_CHARACTERS + 1), "Не приходит", "support.subject_invalid"],
    ["without a description", "Счёт", "\n", "support.description_missing"],
    ["with a book for a description", "Счёт", long(MOST_MESSAGE_CHARACTERS + 1), "support.message_too_long"],
    ["empty: the first field is reported first", "", "", "support.subject_invalid"],
  ])("%s", (_, subject, description, why) => {
    expect(whyNotTicket({ subject, description })).toBe(why);
  });
});

test.each<[TicketStatus, TicketStatus, boolean]>([
  ["open", "in_progress", true],
  ["in_progress", "closed", true],
  ["open", "closed", true],
  ["closed", "closed", true],
  ["in_progress", "open", false],
  ["closed", "in_progress", false],
  ["closed", "open", false],
])("a ticket may go from %s to %s: %s", (from, to, may) => {
  expect(mayBecome(from, to)).toBe(may);
});
