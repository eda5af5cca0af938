import { Duplex, PassThrough } from "node:stream";
import { setImmediate as nextTurn } from "node:timers/promises";
import { afterEach, expect, onTestFinished, test, vi } from "vitest";
import { AnswerLost } from "../machine.ts";
import { makeAgentMachine } from "./agent-machine.ts";
import { AGENT_VERSION, type AgentSession, ConnectionLost, messageOf, openAgentSession } from "./agent-session.ts";

/*
 * A VPN server may be in an attacker's hands: its helper's output is limited in bytes and time by each request, and a helper that
 * sends more is disconnected.
 */

afterEach(() => {
  vi.useRealTimers();
});

/** The far end of a session, played by the test. */
async function aMachine() {
  const heard: string[] = [];
  const stderr = new PassThrough();
  const streams = new Duplex({
    read() {},
    write(piece: Buffer, _, done) {
      heard.push(piece.toString("latin1"));
      done();
    },
  });
  const stream = Object.assign(streams, { stderr });
  const say = (id: number, word: string, ...fields: (string | Buffer)[]) => stream.push(messageOf(id, word, fields));
  say(0, "hello", String(AGENT_VERSION));
  const session = await openAgentSession(stream);
  onTestFinished(() => session.close());
  return { stream, say, session, raw: (text: string) => stream.push(Buffer.from(text, "latin1")), heard };
}
const outcomeOf = (work: Promise<unknown>) =>
  work.then(
    () => "answered",
    (error: Error) => error.constructor,
  );
const isOver = async (session: AgentSession) => {
  await nextTurn();
  return !session.isOpen;
};
const MIB = 1024 * 1024;
const limits = { timeoutMs: 1_000 };

test("an answer that announces more than its limit ends the session before its bytes arrive", async () => {
  const { raw, session } = await aMachine();
  const asked = outcomeOf(session.ask("read", ["/proc/stat"], limits));
  raw("1 is 999999999\n");
  expect(await asked).toBe(ConnectionLost);
  expect(await isOver(session)).toBe(true);
});

test("many fields whose total exceeds the limit end it too", async () => {
  const { raw, session } = await aMachine();
  const asked = outcomeOf(session.ask("list", ["/sys/class/net"], limits));
  raw(`1 is${" 60000".repeat(40)}\n`);
  expect(await asked).toBe(ConnectionLost);
});

test("data after the end is not stored", async () => {
  const { raw, stream, session } = await aMachine();
  raw("7 is 1\nx");
  expect(await isOver(session)).toBe(true);
  const before = process.memoryUsage().arrayBuffers;
  for (let sent = 0; sent < 256; sent++) stream.emit("data", Buffer.alloc(MIB));
  // What is not yet collected counts.
  expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(128 * MIB);
});

test.each([
  ["an id that was never asked", "7 is\n"],
  ["a second greeting", `0 hello 1\n${AGENT_VERSION}`],
  ["a line without end", "1".repeat(100_000)],
])("%s ends the session", async (_, said) => {
  const { raw, session } = await aMachine();
  raw(said);
  expect(await isOver(session)).toBe(true);
});

test("a request has one answer: a second one, and lines without a listener, end the session", async () => {
  for (const word of ["is", "line", "started"]) {
    const { say, session } = await aMachine();
    const asked = outcomeOf(session.ask("find", ["wg"], limits));
    say(1, word, "x");
    expect(await asked).toBe("answered");
    expect(await isOver(session)).toBe(false);
    say(1, word, "x");
    expect(await isOver(session)).toBe(true);
  }
});

test("a late answer to a request that was given up is ignored and does no harm", async () => {
  const { say, session, heard } = await aMachine();
  const controller = new AbortController();
  const asked = outcomeOf(session.ask("find", ["wg"], { ...limits, signal: controller.signal }));
  controller.abort();
  await asked;
  expect(heard.at(-1)).toBe("0 stop 1\n1");
  say(1, "is", "/usr/bin/wg");
  expect(await isOver(session)).toBe(false);
  say(1, "is", "/usr/bin/wg");
  expect(await isOver(session)).toBe(true);
});

test("a listener may receive a lot, but not endlessly", async () => {
  const { say, session } = await aMachine();
  let lines = 0;
  let lost: unknown;
  session.listen(
    "follow",
    ["krug-setup"],
    () => (lines += 1),
    (failure) => (lost = failure),
  );
  for (let sent = 0; sent < 3_000; sent++) say(1, "line", "x".repeat(500));
  await nextTurn();
  expect([lines, session.isOpen]).toEqual([3_000, true]);
  for (let sent = 0; sent < 200_000 && session.isOpen; sent++) {
    say(1, "line", "");
    if (sent % 1_000 === 0) await nextTurn();
  }
  expect(lost).toBeInstanceOf(ConnectionLost);
  expect(lines).toBeLessThan(60_000);
});

test("nor may it complain endlessly", async () => {
  const { stream, session } = await aMachine();
  const complain = async (mebibytes: number) => {
    for (let piece = 0; piece < mebibytes * 16; piece += 1) {
      stream.stderr.write(Buffer.alloc(MIB / 16, "x"));
      await nextTurn();
    }
  };
  await complain(3);
  expect(session.isOpen).toBe(true);
  await complain(6);
  expect(await isOver(session)).toBe(true);
});

test("nor by messages of many empty fields, which cost the panel more than their bytes", async () => {
  const { raw, session } = await aMachine();
  let lost: unknown;
  session.listen(
    "follow",
    ["krug-setup"],
    () => {},
    (failure) => (lost = failure),
  );
  const emptyFields = `1 line${" 0".repeat(30_000)}\n`;
  for (let sent = 0; sent < 1_000 && session.isOpen; sent++) {
    raw(emptyFields);
    await nextTurn();
  }
  expect(lost).toBeInstanceOf(ConnectionLost);
});

test("a helper that leaves a question unanswered is not asked again", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  const { session } = await aMachine();
  const [late, other] = [
    outcomeOf(session.ask("find", ["wg"], limits)),
    outcomeOf(session.ask("find", ["ip"], { timeoutMs: 60_000 })),
  ];
  await vi.advanceTimersByTimeAsync(5_999);
  expect(session.isOpen).toBe(true);
  await vi.advanceTimersByTimeAsync(1);
  expect([await late, await other]).toEqual([AnswerLost, ConnectionLost]);
  expect(session.isOpen).toBe(false);
});

test("a program's output may be as long as the call allows, and the machine's largest answer fits", async () => {
  const { say, session } = await aMachine();
  const machine = makeAgentMachine(async () => session);
  const dump = machine.run("wg", ["show", "wg0", "dump"]);
  await nextTurn();
  say(1, "ended", "0", "x".repeat(26 * MIB), "");
  expect((await dump).length).toBe(26 * MIB);
  const short = outcomeOf(machine.run("uname", ["-m"], { maxOutputBytes: 1_000 }));
  await nextTurn();
  say(2, "ended", "0", "x".repeat(MIB), "");
  expect(await short).toBe(ConnectionLost);
});
