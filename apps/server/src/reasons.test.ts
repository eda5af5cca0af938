import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { contract } from "@krug/contract/api";
import type { EndpointSpec } from "@krug/contract/endpoint";
import { whyOf } from "@krug/contract/reasons";
import { refusals } from "@krug/contract/refusals";
import { reason, reasonLine, reasons, reasonsTogether } from "@krug/domain/reasons";
import { expect, test } from "vitest";
import { z } from "zod";
import type { BackupRow } from "./features/club/backup/table.ts";
import type { OutboxRow } from "./features/messages/outbox/table.ts";
import type { RunRow } from "./features/vpn/server-setup/table.ts";
import type { ServerRow } from "./features/vpn/servers/index.ts";
import { HostUnreachable } from "./hosts/host.ts";
import { MachineFailure } from "./hosts/machine.ts";

/* The law of reasons: docs/adr/0125-every-reason-is-a-code.md. */

const CYRILLIC = /[а-яё]/i;
/** Nothing but a name. */
const NEUTRAL = ["local.off", "server.named", "import.file_wrong"];
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

test("no free text is a reason: not in a column, nor in a failure", () => {
  // @ts-expect-error a sentence is no reason
  const unreachable: ServerRow["unreachable_reason"] = "no answer";
  // @ts-expect-error a sentence is no reason
  const detail: RunRow["detail"] = "no answer";
  // @ts-expect-error a sentence is no reason
  const problem: BackupRow["problem"] = "no answer";
  // @ts-expect-error a sentence is no reason
  const gaveUp: OutboxRow["reason"] = "no answer";
  // @ts-expect-error a sentence is no reason
  const failures = () => [new MachineFailure("refused", "no answer"), new HostUnreachable(unreachable)];
  expect([unreachable, detail, problem, gaveUp, failures.length]).toEqual([...Array(4).fill("no answer"), 0]);
});

test("only the list itself turns a text into a reason", () => {
  const root = fileURLToPath(new URL("../../..", import.meta.url));
  const files = ["packages/domain", "packages/contract", "apps/server", "apps/web"]
    .flatMap((part) =>
      readdirSync(join(root, part, "src"), { recursive: true, encoding: "utf8" }).map((name) => `${part}/src/${name}`),
    )
    .filter((path) => /\.tsx?$/.test(path) && !path.endsWith("domain/src/reasons.ts"));
  expect(files.length).toBeGreaterThan(500);
  expect(
    files.filter((path) => /\bas (unknown as )?Reason\b(?! *[,}])/.test(readFileSync(join(root, path), "utf8"))),
  ).toEqual([]);
});

/** What people wrote, the machine's output next to a code, and a word that the page has in both languages. */
const NO_REASONS = ["payments.reason", "servers.detail", "webhooks.problem"];

test("every reason in an answer is also there as a code with words in both languages", () => {
  const bare = new Set<string>();
  let found = 0;
  const look = (group: string, schema: unknown): void => {
    if (typeof schema !== "object" || schema === null) return;
    const { properties } = schema as { properties?: Record<string, unknown> };
    for (const [name, field] of Object.entries(properties ?? {})) {
      if (!REASON_FIELD.test(name) || !isFreeText(field)) continue;
      found++;
      if (!("why" in (properties ?? {}))) bare.add(`${group}.${name}`);
    }
    for (const inner of Object.values(schema)) look(group, inner);
  };
  for (const [group, calls] of Object.entries(contract))
    for (const { answer } of Object.values<EndpointSpec>(calls))
      if (answer instanceof z.ZodType) look(group, z.toJSONSchema(answer, { unrepresentable: "any", io: "output" }));
  expect(found).toBeGreaterThan(10);
  expect([...bare].sort()).toEqual(NO_REASONS);
});
const REASON_FIELD = /^(?:reason|problem|failure|detail|conflict|trouble|(?:last)?error)$/i;
/** Not a word from a list. */
const isFreeText = (field: unknown): boolean => {
  const { type, anyOf = [], ...rest } = field as { type?: unknown; anyOf?: unknown[] };
  return ([type].flat().includes("string") && !("enum" in rest) && !("const" in rest)) || anyOf.some(isFreeText);
};

test("the machine's output is quoted next to our words, without anything that could control a terminal", () => {
  const failed = reason("program.failed", { program: "nft", code: 1 }, "\u001b[31mOperation not permitted\n");
  expect(whyOf(failed)).toEqual({
    code: "program.failed",
    ru: "программа nft завершилась с кодом 1",
    en: "nft: exited with 1",
    said: "[31mOperation not permitted",
  });
  expect(reasonLine(reason("ssh.lost", {}, "EPIPE"), "ru")).toBe("соединение оборвалось: «EPIPE»");
});

test("each of several reasons keeps its words", () => {
  const both = reasonsTogether([reason("lack.not_root"), reasonsTogether([reason("lack.tun")])]);
  expect(whyOf(both)).toMatchObject({
    code: "lack.not_root lack.tun",
    ru: `${reasons["lack.not_root"].ru}; ${reasons["lack.tun"].ru}`,
  });
});

test("a sentence stored by an older panel is quoted", () => {
  for (const kept of ["no route to host", '{"code":"of a newer panel"}', "[]", "null"])
    expect(whyOf(kept as never)).toMatchObject({ code: "machine.said", said: kept });
});
