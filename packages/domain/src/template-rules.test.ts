import { expect, test } from "vitest";
import { servicesToBeginWith } from "./template-rules.ts";

const ips = (count: number) => Array.from({ length: count }, (_, n) => `192.0.2.${n}`);
const work = { name: "work", deviceTypes: ["computer" as const], ips: ips(3) };
const chat = { name: "chat", deviceTypes: ["all" as const], ips: ips(60) };
const films = { name: "films", deviceTypes: ["all" as const], ips: ips(61) };

test("a device starts with the template's services that are meant for it", () => {
  expect(servicesToBeginWith("phone", [work, chat])).toEqual([chat]);
  expect(servicesToBeginWith("computer", [work, chat])).toEqual([work, chat]);
});

test("a phone that cannot take all of them starts with none, a computer takes them all", () => {
  expect(servicesToBeginWith("phone", [chat, films])).toEqual([]);
  expect(servicesToBeginWith("computer", [chat, films])).toEqual([chat, films]);
});
