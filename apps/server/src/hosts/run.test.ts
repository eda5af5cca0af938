import { expect, test } from "vitest";
import { findProgram, ProgramFailed, run } from "./run.ts";

const failureOf = (work: Promise<unknown>) =>
  work.then(
    () => null,
    (error: ProgramFailed) => error,
  );

test("what is given on stdin can be read as a stream and opened again as /dev/stdin", async () => {
  const stdin = `первая строка\n${"x".repeat(200_000)}\n`;
  expect(await run("cat", [], { stdin })).toBe(stdin);
  expect(await run("cat", ["/dev/stdin"], { stdin })).toBe(stdin);
});

test("a program gets a clean environment and its arguments as they are", async () => {
  process.env.KRUG_TEST_SECRET = "not for children";
  expect(
    (await run("env", []))
      .split("\n")
      .filter(Boolean)
      .map((line) => line.split("=")[0]),
  ).toEqual(["PATH", "LC_ALL"]);
  expect(await run("printf", ["%s|", "$(id)", "; rm", "a b"])).toBe("$(id)|; rm|a b|");
});

test("a failure says program, code and stderr, and nothing of stdin or of a key that stderr quotes", async () => {
  const key = "yAnz5TF+lXXJte14tji3zlMNq+hd2rYUIgJBgB3fBmk=";
  const script = 'read -r line; echo "Key is not the correct length: $line, oops" >&2; exit 3';
  const failure = await failureOf(run("bash", ["-c", script], { stdin: `${key}\n` }));
  expect(failure).toBeInstanceOf(ProgramFailed);
  expect(failure).toMatchObject({ program: "bash", reason: "failed", exitCode: 3 });
  expect(failure?.message).toContain("Key is not the correct length: [key], oops");
  expect(JSON.stringify({ ...failure, message: failure?.message, stack: failure?.stack })).not.toContain(key);
});

test("a program that is missing, hangs or prints without end is ended and named", async () => {
  expect(await failureOf(run("no-such-program", []))).toMatchObject({ reason: "not_found" });
  expect(await failureOf(run("sleep", ["20"], { timeoutMs: 30 }))).toMatchObject({ reason: "timeout" });
  expect(await failureOf(run("yes", [], { maxOutputBytes: 10_000 }))).toMatchObject({ reason: "too_much_output" });
  expect(await findProgram("no-such-program")).toBeNull();
  expect(await findProgram("sh")).toMatch(/\/sh$/);
});
