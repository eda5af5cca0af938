import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { whyOf } from "@krug/contract/reasons";
import { refusals } from "@krug/contract/refusals";
import { reason, reasonLine, reasons, reasonsTogether } from "@krug/domain/reasons";
import { expect, test } from "vitest";
import type { RunRow } from "./features/server-setup/table.ts";
import type { ServerRow } from "./features/servers/index.ts";
import { HostUnreachable } from "./hosts/host.ts";
import { MachineFailure } from "./hosts/machine.ts";

/* The law of reasons: docs/adr/0125-every-reason-is-a-code.md. */

const CYRILLIC = /[а-яё]/i;
/** Nothing but a name. */
const NEUTRAL = ["local.off", "server.named"];
const placeholders = (text: string) => [...new Set([...text.matchAll(/\{(\w+)/g)].map(([, name]) => name))].sort();

test.each([...Object.entries(reasons), ...Object.entries(refusals)])(
  "%s has words in both languages, about the same details",
  (code, { ru, en }) => {
    expect(CYRILLIC.test(ru)).toBe(!NEUTRAL.includes(code));
    expect(CYRILLIC.test(en)).toBe(false);
    // A number's form may need the number in one language only.
    const without = (text: string) => placeholders(text).filter((name) => name !== "count");
    expect(without(ru)).toEqual(without(en));
  },
);

test("no free text is a reason: not in a column, nor of a failure", () => {
  // @ts-expect-error a sentence is no reason
  const unreachable: ServerRow["unreachable_reason"] = "no answer";
  // @ts-expect-error a sentence is no reason
  const detail: RunRow["detail"] = "no answer";
  // @ts-expect-error a sentence is no reason
  const failures = () => [new MachineFailure("refused", "no answer"), new HostUnreachable(unreachable)];
  expect([unreachable, detail, failures.length]).toEqual(["no answer", "no answer", 0]);
});

test("no file but the list itself calls a text a reason", () => {
  const root = new URL("../../..", import.meta.url);
  const files = execFileSync("git", ["ls-files", "apps", "packages"], { cwd: root, encoding: "utf8" })
    .split("\n")
    .filter((path) => /\.tsx?$/.test(path) && !path.endsWith("domain/src/reasons.ts"));
  expect(files.length).toBeGreaterThan(500);
  expect(
    files.filter((path) =>
      /\bas (unknown as )?Reason\b(?! *[,}])/.test(readFileSync(new URL(path, `${root}/`), "utf8")),
    ),
  ).toEqual([]);
});

test("what the machine said is a quotation beside our words, without what could steer a terminal", () => {
  const failed = reason("program.failed", { program: "nft", code: 1 }, "\u001b[31mOperation not permitted\n");
  expect(whyOf(failed)).toEqual({
    code: "program.failed",
    ru: "программа nft завершилась с кодом 1",
    en: "nft: ended with 1",
    said: "[31mOperation not permitted",
  });
  expect(reasonLine(reason("ssh.lost", {}, "EPIPE"), "ru")).toBe("соединение оборвалось: «EPIPE»");
});

test("several at once keep each its words", () => {
  const both = reasonsTogether([reason("lack.not_root"), reasonsTogether([reason("lack.tun")])]);
  expect(whyOf(both)).toMatchObject({
    code: "lack.not_root lack.tun",
    ru: `${reasons["lack.not_root"].ru}; ${reasons["lack.tun"].ru}`,
  });
});

test("a sentence that an older panel wrote down is quoted", () => {
  for (const kept of ["no route to host", '{"code":"of a newer panel"}', "[]", "null"])
    expect(whyOf(kept as never)).toMatchObject({ code: "machine.said", said: kept });
});
