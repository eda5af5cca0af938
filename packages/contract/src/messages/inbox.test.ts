import { NOTICE_KINDS, traitsOf } from "@krug/domain/notices";
import { sampleParams } from "@krug/domain/notices/sample";
import { expect, test } from "vitest";
import { inbox } from "./inbox.ts";

/** The only names a plain text may be: of machines, months, lists, services, and the reader's own devices. */
const NOBODYS = new Set([
  "period",
  "name",
  "names",
  "interface",
  "server",
  "servers",
  "exit",
  "host",
  "source",
  "services",
]);
/** Text that somebody wrote, to the reader or about something they made. */
const WRITTEN = ["staff_message.text", "ticket_opened.subject", "member_wrote.text"];

const told = (kind: string, params: object) => [
  { id: "0b0f5f0e-2f5e-4d5e-9a55-0c8d3d6f6f10", createdAt: "2026-11-23T12:00:00Z", readAt: null, kind, params },
];

test.each(NOTICE_KINDS)("%s returns what its entry declares, and nothing else", (kind) => {
  const params = sampleParams(kind);
  expect(inbox.list.answer.parse(told(kind, params))).toEqual(told(kind, params));
  for (const name of Object.keys(params))
    expect(inbox.list.answer.safeParse(told(kind, { ...params, [name]: { not: "this" } })).success).toBe(false);
});

test.each(NOTICE_KINDS)("%s names another member only as a person, so it can be hidden and deleted", (kind) => {
  for (const [name, is] of Object.entries(traitsOf(kind).params)) {
    if (is === "text" || is === "texts") expect(NOBODYS).toContain(name);
    if (is === "written") expect(WRITTEN).toContain(`${kind}.${name}`);
  }
});
