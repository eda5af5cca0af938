import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { appendFile, mkdtemp, rename, rm, writeFile } from "node:fs/promises";
import { createServer, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { expect, test } from "vitest";
import { localMachine, localMachineWith } from "./local-machine.ts";
import { endingWith, ProgramFailed } from "./machine.ts";

const { run, findProgram } = localMachine;

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

test("a program gets a clean environment and its exact arguments", async () => {
  process.env.KRUG_TEST_SECRET = "not for children";
  expect(
    (await run("env", []))
      .split("\n")
      .filter(Boolean)
      .map((line) => line.split("=")[0]),
  ).toEqual(["PATH", "LC_ALL"]);
  expect(await run("printf", ["%s|", "$(id)", "; rm", "a b"])).toBe("$(id)|; rm|a b|");
});

test("a failure has the program, code and stderr, but nothing from stdin and no key that stderr quotes", async () => {
  const key = "yAnz5TF+lXXJte14tji3zlMNq+hd2rYUIgJBgB3fBmk=";
  const script = 'read -r line; echo "Key is not the correct length: $line, oops" >&2; exit 3';
  const failure = await failureOf(run("bash", ["-c", script], { stdin: `${key}\n` }));
  expect(failure).toBeInstanceOf(ProgramFailed);
  expect(failure).toMatchObject({ program: "bash", reason: "failed", exitCode: 3 });
  expect(failure?.message).toContain("Key is not the correct length: [key], oops");
  expect(JSON.stringify({ ...failure, message: failure?.message, stack: failure?.stack })).not.toContain(key);
});

test("a program that is missing, hangs or prints endlessly is ended and named", async () => {
  expect(await failureOf(run("no-such-program", []))).toMatchObject({ reason: "not_found" });
  expect(await failureOf(run("sleep", ["20"], { timeoutMs: 30 }))).toMatchObject({ reason: "timeout" });
  expect(await failureOf(run("yes", [], { maxOutputBytes: 10_000 }))).toMatchObject({ reason: "too_much_output" });
  expect(await findProgram("no-such-program")).toBeNull();
  expect(await findProgram("sh")).toMatch(/\/sh$/);
});

test("a program's refusal is distinguished from an unknown result", async () => {
  expect(await failureOf(run("no-such-program", []))).toMatchObject({ outcome: "refused" });
  expect(await failureOf(run("false", []))).toMatchObject({ outcome: "refused" });
  expect(await failureOf(run("bash", ["-c", "kill -9 $$"]))).toMatchObject({ outcome: "unknown" });
  expect(await failureOf(run("sleep", ["20"], { timeoutMs: 30 }))).toMatchObject({ outcome: "unknown" });
});

test("a caller who gives up does not wait for the program, and starts no other", async () => {
  const controller = new AbortController();
  const machine = endingWith(controller.signal, localMachine);
  // Longer than this test may take.
  const running = failureOf(machine.run("sleep", ["120"]));
  setTimeout(() => controller.abort(), 30);
  expect(await running).toMatchObject({ name: "CallGivenUp", outcome: "unknown" });
  expect(await failureOf(machine.run("true", []))).toMatchObject({ name: "CallGivenUp" });
});

test.each([
  ["one piece", ["errno=0\n\n"], "errno=0\n\n"],
  ["two pieces, its end cut in half", ["a=1\nerrno=0\n", "\n"], "a=1\nerrno=0\n\n"],
])("an answer of a socket may come in %s", async (_, pieces, answer) => {
  await withSocket(
    async (socket) => {
      for (const piece of pieces) {
        socket.write(piece);
        await wait(20);
      }
    },
    async (path) => expect(await localMachine.ask(path, "get=1\n\n", "\n\n")).toBe(answer),
  );
});

test("a socket that is silent, closes early or does not exist is distinguished", async () => {
  const ask = (path: string, options = {}) => failureOf(localMachine.ask(path, "?", "\n\n", options));
  await withSocket(
    () => undefined,
    async (path) => {
      expect(await ask(path, { timeoutMs: 50 })).toMatchObject({ name: "AnswerLost", outcome: "unknown" });
      expect(await ask(path, { signal: AbortSignal.timeout(5) })).toMatchObject({ name: "CallGivenUp" });
    },
  );
  await withSocket(
    (socket) => socket.end("half"),
    async (path) => expect(await ask(path)).toMatchObject({ name: "NobodyAnswers", outcome: "unknown" }),
  );
  // A killed program leaves the request unread, and its end of the connection is reset.
  await withSocket(
    () => undefined,
    async (path) => expect(await ask(path)).toMatchObject({ name: "NobodyAnswers", outcome: "unknown" }),
    (socket) => void setTimeout(() => socket.destroy(), 20),
  );
  expect(await ask("/nowhere.sock")).toMatchObject({ name: "NobodyAnswers", outcome: "refused" });
});

test("a missing file reads as null, and cannot be written", async () => {
  expect(await localMachine.readFile("/nowhere")).toBeNull();
  expect(await localMachine.identify("/nowhere")).toBeNull();
  expect(await localMachine.listFolder("/nowhere")).toEqual([]);
  expect(await localMachine.canWrite("/nowhere")).toBe(false);
  expect(await failureOf(localMachine.writeFile("/nowhere", "1"))).toMatchObject({ name: "FileRefused" });
});

async function withSocket(
  answer: (socket: Socket) => unknown,
  use: (path: string) => Promise<void>,
  arrive = (socket: Socket): void => void socket.once("data", () => answer(socket)).resume(),
) {
  const path = join(tmpdir(), `krug-socket-${process.pid}-${Math.random().toString(36).slice(2)}`);
  const open = new Set<Socket>();
  const server = createServer({ pauseOnConnect: true }, (socket) => {
    open.add(socket);
    socket.on("error", () => undefined);
    arrive(socket);
  });
  await new Promise<void>((resolve) => server.listen(path, resolve));
  try {
    await use(path);
  } finally {
    for (const socket of open) socket.destroy();
    server.close();
  }
}

test("a call meant for one thing is not done to another in its place", async () => {
  const folder = await mkdtemp(join(tmpdir(), "krug-only-"));
  const [path, other] = [join(folder, "thing"), join(folder, "other")];
  try {
    for (const each of [path, other]) await writeFile(each, "");
    const only = { path, identity: (await localMachine.identify(path)) ?? "" };
    expect(await run("printf", ["%s", "done"], { only })).toBe("done");
    await rename(other, path);
    expect(await failureOf(run("rm", [path], { only }))).toMatchObject({ name: "NoLonger", outcome: "refused" });
    expect(await failureOf(localMachine.ask(path, "?", "!", { only }))).toMatchObject({ name: "NoLonger" });
    expect(await localMachine.identify(path)).not.toBeNull();
  } finally {
    await rm(folder, { recursive: true });
  }
});

test("the panel's own engine is started as built, and not if it is damaged", async () => {
  const folder = await mkdtemp(join(tmpdir(), "krug-engine-"));
  const engine = join(folder, "krug-engine-amd64");
  const text = "#!/bin/sh\ntouch $1\n";
  await writeFile(engine, text, { mode: 0o755 });
  await writeFile(`${engine}.sha256`, `${createHash("sha256").update(text).digest("hex")}  krug-engine-amd64\n`);
  const { start } = localMachineWith(engine, "none");
  await start(engine, [join(folder, "whole")]);
  await expect.poll(() => existsSync(join(folder, "whole"))).toBe(true);
  await appendFile(engine, "# half of it\n");
  await expect(start(engine, [join(folder, "damaged")])).rejects.toThrow(/does not match its checksum/);
  expect(existsSync(join(folder, "damaged"))).toBe(false);
  await rm(folder, { recursive: true });
});
