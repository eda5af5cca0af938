import { expect, test } from "vitest";
import { initDataOf } from "../../../../testing/mini-app.ts";
import { DOUBLE_TOKEN, type TelegramPerson } from "../../../../testing/telegram-double.ts";
import { readInitData } from "./init-data.ts";

// Published with its token by the library @telegram-apps/init-data-node, whose own tests use it.
const KNOWN_TOKEN = "5768337691:AAH5YkoiEuPk8-FZa32hStHTqXiLPtAEhx8";
const KNOWN =
  "query_id=AAHdF6IQAAAAAN0XohDhrOrc&user=%7B%22id%22%3A279058397%2C%22first_name%22%3A%22Vladislav%22%2C%22last_name%22%3A%22Kibenko%22%2C%22username%22%3A%22vdkfrost%22%2C%22language_code%22%3A%22ru%22%2C%22is_premium%22%3Atrue%7D&auth_date=1662771648&hash=c501b71e775f74ce10e377dea85a7ea24ecd640b223ea86dfe453e0eaed2e2b2";

const marina: TelegramPerson = { id: 501, first_name: "Марина", username: "marina_k", language_code: "en-GB" };
const AT = Date.parse("2026-11-27T12:00:00Z");
const right = initDataOf(marina, { at: AT });
const read = (initData: string) => readInitData(initData, DOUBLE_TOKEN);
const changed = (change: (fields: URLSearchParams) => void) => {
  const fields = new URLSearchParams(right);
  change(fields);
  return fields.toString();
};

test("what Telegram is known to have signed is read", () => {
  expect(readInitData(KNOWN, KNOWN_TOKEN)).toEqual({
    person: { telegramId: "279058397", name: "@vdkfrost", language: "ru" },
    signedAt: 1_662_771_648_000,
    signature: "c501b71e775f74ce10e377dea85a7ea24ecd640b223ea86dfe453e0eaed2e2b2",
  });
});

test("who opened it and when is read, whatever the order of the fields", () => {
  const opening = { person: { telegramId: "501", name: "@marina_k", language: "en" }, signedAt: AT };
  expect(read(right)).toMatchObject(opening);
  expect(
    read(
      [...new URLSearchParams(right)]
        .reverse()
        .map(([n, v]) => `${n}=${encodeURIComponent(v)}`)
        .join("&"),
    ),
  ).toEqual(read(right));
});

test.each([
  ["nothing", ""],
  ["no signature", changed((fields) => fields.delete("hash"))],
  ["an empty signature", changed((fields) => fields.set("hash", ""))],
  ["a signature in capitals", changed((fields) => fields.set("hash", (fields.get("hash") ?? "").toUpperCase()))],
  ["another person", changed((fields) => fields.set("user", '{"id":502,"first_name":"Глеб"}'))],
  ["a later time", changed((fields) => fields.set("auth_date", String(AT / 1_000 + 60)))],
  ["a field less", changed((fields) => fields.delete("query_id"))],
  ["a field more", changed((fields) => fields.set("start_param", "x"))],
  ["a field twice", changed((fields) => fields.append("user", '{"id":502}'))],
  ["another bot's token", initDataOf(marina, { at: AT, token: "654321:another" })],
  ["two fields folded into one", initDataOf(marina, { at: AT, fields: { query_id: 'x\nuser={"id":502}' } })],
  ["a name with the sign of a value", initDataOf(marina, { at: AT, fields: { "a=b": "c" } })],
  ["nobody", initDataOf(marina, { at: AT, fields: { user: "null" } })],
  ["no number", initDataOf(marina, { at: AT, fields: { user: '{"id":"501"}' } })],
  ["no JSON", initDataOf(marina, { at: AT, fields: { user: "{" } })],
  ["no time", initDataOf(marina, { at: AT, fields: { auth_date: "soon" } })],
])("is not from Telegram: %s", (_, initData) => {
  expect(read(initData)).toBeNull();
});
