import { NOTICE_KINDS, traitsOf } from "@krug/domain/notices";
import { expect, test } from "vitest";
import { Told } from "./inbox.ts";

/** Params whose texts name no other member: machines, months, and what the reader's own devices are called. */
const NOBODYS = new Set(["period", "name", "names", "interface", "server", "servers", "host", "received", "day"]);
/** What somebody wrote: to the reader, or in what goes with its author. */
const WRITTEN = { staff_message: ["text"], ticket_opened: ["subject"] } as Record<string, string[]>;

/** Whether such a param may be a free text. */
const isText = (schema: object): boolean => {
  const { type, format, def } = schema as { type: string; format?: string; def: Record<string, unknown> };
  if (type === "string") return format === null || format === undefined;
  if (type === "array") return isText(def.element as object);
  if (type === "nullable" || type === "optional") return isText(def.innerType as object);
  return type === "object";
};

const paramsOf = (kind: string) => {
  const option = Told.options.find(({ shape }) => shape.kind.value === kind);
  return Object.entries(option?.shape.params.shape ?? {}).filter(([, schema]) => isText(schema));
};

test("there is an entry for every kind of notice, and none for others", () => {
  expect(NOTICE_KINDS.toSorted()).toEqual(Told.options.map(({ shape }) => shape.kind.value).toSorted());
});

test.each(NOTICE_KINDS)("%s names another member in the param that its entry says, and nowhere else", (kind) => {
  const texts = paramsOf(kind).map(([name]) => name);
  const naming = texts.filter((name) => !NOBODYS.has(name) && !WRITTEN[kind]?.includes(name));
  expect(naming).toEqual([traitsOf(kind).names].filter((name) => name !== undefined));
});
