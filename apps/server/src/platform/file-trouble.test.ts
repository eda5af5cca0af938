import { expect, test } from "vitest";
import { explainOpening } from "./database/cannot-open.ts";
import { inOurWords } from "./database/trouble.ts";
import { sentenceOf } from "./sentence-of.ts";

const bySqlite = (message: string, errcode: number) =>
  Object.assign(new Error(message), { code: "ERR_SQLITE_ERROR", errcode });

test.each([
  ["database or disk is full", 13, /^\/data\/krug\.db cannot be written: the disk is full \(SQLite 13\)\.$/],
  ["disk I/O error", 4874, /^\/data\/krug\.db cannot be written: the disk is full \(SQLite 4874\)\.$/],
  ["disk I/O error", 266, /^\/data\/krug\.db cannot be read or written: the disk is failing \(SQLite 266\)\.$/],
  ["attempt to write a readonly database", 1544, /DATA_DIR must be writable .*\/data\/krug\.db is closed/s],
  ["unable to open database file", 14, /DATA_DIR must be writable .*\/data\/krug\.db is closed/s],
])(
  "SQLite's '%s' (%i) becomes a sentence with the file's path, at the start and in every command",
  (message, code, sentence) => {
    const error = bySqlite(message, code);
    for (const thrown of [error, inOurWords(error)])
      expect(sentenceOf(explainOpening(thrown, null, "/data/krug.db"), "en")).toMatch(sentence);
    expect(sentenceOf(error, "en")).not.toBe(message);
  },
);

test("what SQLite says about a statement stays as it is", () => {
  expect(sentenceOf(explainOpening(bySqlite("no such table: x", 1), null, "/data/krug.db"), "en")).toBe(
    "no such table: x",
  );
});
