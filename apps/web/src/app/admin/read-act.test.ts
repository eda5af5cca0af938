import { expect, test } from "vitest";
import { readAct } from "./read-act.ts";

test.each([
  ["продлить павел 30", { act: "extend", name: "павел", period: "30" }],
  ["  Продлить  Павел Иванов на 90 дней ", { act: "extend", name: "Павел Иванов", period: "90" }],
  ["extend pavel by 365 days", { act: "extend", name: "pavel", period: "365" }],
  ["продлить павел", { act: "extend", name: "павел" }],
  // Not a period: part of a name.
  ["продлить павел 1990", { act: "extend", name: "павел 1990" }],
  ["продлить 30", { act: "extend", name: "30" }],
  ["продлить на 30", { act: "extend", name: "на 30" }],
  ["заблокировать павел", { act: "block", name: "павел" }],
  ["block pavel 30", { act: "block", name: "pavel 30" }],
  ["ссылка на пароль павел", { act: "link", name: "павел" }],
  ["password link pavel", { act: "link", name: "pavel" }],
])("%s", (typed, act) => expect(readAct(typed)).toEqual(act));

test.each([
  "",
  "продлить",
  "продлить ",
  "заблокировать",
  "ссылка на пароль",
  "ссылка павел",
  "павел продлить",
  "блокировка",
])("'%s' is searched for as it is", (typed) => expect(readAct(typed)).toBeNull());
