import { type Reason, reason } from "@krug/domain/reasons";
import { type Generation, isSuperseded, Superseded } from "../generation.ts";
import type { SshProblem } from "../host.ts";
import { AnswerLost, CallGivenUp, type CallOptions, MachineFailure } from "../machine.ts";

import { type Channel, overhear, problemOf, wordsOf } from "./answered.ts";

/** The version of agent.pl that this panel works with. */
export const AGENT_VERSION = 12;

/** The connection to the machine ended. `unknown` for pending requests: they may have been done. */
export class ConnectionLost extends MachineFailure {}

/** There is no agent, or one of an older panel. `problem` says what answered instead. */
export class OldAgent extends MachineFailure {
  readonly problem: SshProblem;

  constructor(why: Reason, problem: SshProblem = "no_agent") {
    super("unreachable", why);
    this.problem = problem;
  }
}

/** The agent's answer: one per request, or several for a followed program. */
export interface Said {
  word: string;
  fields: Buffer[];
}

/** A field of a request: text, or a file's bytes. */
type Field = string | Uint8Array;

/** One run of agent.pl at the other end of a stream. agent.pl describes the messages. */
export interface AgentSession {
  /**
   * A request with one answer of at most `mostBytes`, by default 64 KiB. An answer that is longer, or does not come in time, ends
   * the connection. @throws ConnectionLost, AnswerLost, CallGivenUp
   */
  ask(
    word: string,
    fields: readonly Field[],
    options: Required<Pick<CallOptions, "timeoutMs">> & CallOptions & { mostBytes?: number },
  ): Promise<Said>;
  /** A request with answers until `onEnd`, which comes once. Returns a function that gives it up. */
  listen(
    word: string,
    fields: readonly string[],
    hear: (said: Said) => void,
    onEnd: (lost: ConnectionLost) => void,
  ): () => void;
  readonly isOpen: boolean;
  /** Resolves once it has ended. */
  readonly ended: Promise<void>;
  close(): void;
}

interface Waiting {
  /** `bytes`: of the whole message. Its head by itself may be long, with many empty fields. */
  hear(said: Said, bytes: number): void;
  lose(failure: ConnectionLost): void;
  /** Bytes it may still receive. */
  room(): number;
  /** Words after which more comes. */
  goesOn: ReadonlySet<string>;
}

const HELLO_WITHIN_MS = 10_000;
const HEAD_LIMIT = 65_536;
const GREETING = /0 hello \d{1,2}\n/;
/** The agent ends what takes too long; this much later its answer is lost. */
const GRACE_MS = 5_000;
/** Per request by default; also for everything before the greeting. */
const ANSWER_LIMIT = 65_536;
/** For followed requests, and for stderr: this much at once, and this much a second in the long run. A message counts for more than its bytes. */
const LINES_AT_ONCE = 4 * 1024 * 1024;
const LINES_A_MS = 256;
const MESSAGE_COSTS = 100;
/** To a listener; after any other word nothing more comes. */
const GOES_ON: ReadonlySet<string> = new Set(["started", "line"]);
const ENDS_AT_ONCE: ReadonlySet<string> = new Set();
/** Given up, perhaps with an answer still to come. */
const MOST_GIVEN_UP = 1_000;

/** Waits for the agent's greeting. @throws MachineFailure if another program, an older agent or nobody answers */
export function openAgentSession(stream: Channel): Promise<AgentSession> {
  return new Promise((resolve, reject) => {
    const waiting = new Map<number, Waiting>();
    const givenUp = new Map<number, Waiting>();
    let lastId = 0;
    let isOpen = true;
    let isNewer = false;
    let tellEnded = () => {};
    const ended = new Promise<void>((tell) => {
      tellEnded = tell;
    });
    let isFound = false;
    const heard = overhear(stream);

    const end = (why: Reason) => {
      if (!isOpen) return;
      isOpen = false;
      clearTimeout(greeting);
      stream.destroy();
      tellEnded();
      reject(isNewer ? new MachineFailure("unreachable", why) : whyNone(why));
      for (const each of waiting.values()) each.lose(new ConnectionLost("unknown", why));
      waiting.clear();
      givenUp.clear();
    };

    /** The output instead of the greeting is the reason. */
    const whyNone = (why: Reason) => {
      if (isFound) return new OldAgent(why);
      const answered = heard();
      const words = wordsOf(answered);
      return new OldAgent(words === "" ? why : reason("ssh.no_agent", {}, words), problemOf(answered));
    };

    const ask = (word: string, fields: readonly Field[], each: Waiting): number => {
      if (!isOpen) throw new ConnectionLost("unreachable", reason("ssh.lost"));
      lastId += 1;
      waiting.set(lastId, each);
      stream.write(messageOf(lastId, word, fields));
      return lastId;
    };
    const giveUp = (id: number) => {
      const each = waiting.get(id);
      if (each === undefined) return;
      waiting.delete(id);
      // Its answer may be on its way.
      givenUp.set(id, { ...each, hear: () => {}, lose: () => {} });
      if (givenUp.size > MOST_GIVEN_UP) givenUp.delete(givenUp.keys().next().value as number);
      if (isOpen) stream.write(messageOf(0, "stop", [String(id)]));
    };
    const waiterOf = (id: number) => waiting.get(id) ?? givenUp.get(id);

    const session: AgentSession = {
      ask: (word, fields, { timeoutMs, signal, mostBytes = ANSWER_LIMIT }) =>
        new Promise((answer, fail) => {
          if (signal?.aborted) throw new CallGivenUp(signal);
          const settle = () => {
            clearTimeout(timer);
            signal?.removeEventListener("abort", stop);
          };
          const id = ask(word, fields, {
            hear: (said) => {
              settle();
              answer(said);
            },
            lose: (failure) => {
              settle();
              fail(failure);
            },
            room: () => mostBytes,
            goesOn: ENDS_AT_ONCE,
          });
          const timer = setTimeout(() => {
            settle();
            waiting.delete(id);
            fail(new AnswerLost("the machine"));
            end(reason("helper.silent"));
          }, timeoutMs + GRACE_MS);
          const stop = () => {
            settle();
            giveUp(id);
            fail(new CallGivenUp(signal as AbortSignal));
          };
          signal?.addEventListener("abort", stop);
        }),
      listen(word, fields, hear, onEnd) {
        const { room, take } = makeBucket();
        const heard = (said: Said, bytes: number) => {
          take(bytes);
          hear(said);
        };
        const id = ask(word, fields, { hear: heard, lose: onEnd, room, goesOn: GOES_ON });
        return () => giveUp(id);
      },
      get isOpen() {
        return isOpen;
      },
      ended,
      close: () => end(reason("ssh.lost")),
    };

    const greeting = setTimeout(() => end(reason("helper.silent")), HELLO_WITHIN_MS);
    let isGreeted = false;
    const roomOf = (id: number) => (id === 0 ? (isGreeted ? 0 : ANSWER_LIMIT) : (waiterOf(id)?.room() ?? 0));
    const read = makeReader(({ id, ...said }, bytes) => {
      if (id !== 0) {
        const each = waiterOf(id);
        if (each?.goesOn.has(said.word) !== true) {
          waiting.delete(id);
          givenUp.delete(id);
        }
        return each?.hear(said, bytes);
      }
      isGreeted = true;
      clearTimeout(greeting);
      const version = said.word === "hello" ? Number(said.fields[0]) : Number.NaN;
      isNewer = version > AGENT_VERSION;
      if (version === AGENT_VERSION) resolve(session);
      else end(reason("helper.old", { version, needed: AGENT_VERSION }));
    }, roomOf);
    // An account's shell may print anything before it runs the helper.
    let noise = "";
    const fromGreeting = (chunk: Buffer): Buffer | null => {
      noise += chunk.toString("latin1");
      const at = noise.search(GREETING);
      isFound = at >= 0;
      return isFound ? Buffer.from(noise.slice(at), "latin1") : null;
    };
    stream.on("data", (chunk: Buffer) => {
      // A machine may keep sending after the end.
      if (!isOpen) return;
      const piece = isFound ? chunk : fromGreeting(chunk);
      if (piece === null ? noise.length > ANSWER_LIMIT : !read(piece)) end(reason("helper.unreadable"));
    });
    const complaints = makeBucket();
    stream.stderr?.on("data", (piece: Buffer) => {
      complaints.take(piece.length);
      if (complaints.room() <= 0) end(reason("helper.unreadable"));
    });
    stream.on("error", (error) => end(reason("ssh.lost", {}, error.message)));
    stream.on("close", () => end(reason("ssh.lost")));
    // Before the greeting, further output is read until the stream closes.
    stream.on("end", () => isFound && end(reason("ssh.lost")));
  });
}

const CLAIMED_WITHIN_MS = 15_000;

/**
 * Makes the machine obey the panel of this generation; with `isLook`, only checks whether it would. @throws Superseded if it
 * obeys a newer one
 */
export async function claim(
  session: AgentSession,
  { club, number, token, since }: Generation,
  isLook: boolean,
): Promise<void> {
  const limits = { timeoutMs: CLAIMED_WITHIN_MS };
  if (!isLook) return refuseUnheld(await session.ask("claim", [club, String(number), token, String(since)], limits));
  const seen = rememberedIn(await session.ask("remembered", [club], limits));
  if (seen !== null && isSuperseded({ number, token, since }, seen)) throw new Superseded(seen);
}

/** Why a change was not done, if that depends on which panel the machine obeys. */
export function whyUnheld(said: Said): Error | null {
  switch (said.word) {
    case "older":
      return new Superseded(rememberedIn(said) ?? { number: 0, token: "", since: 0 });
    case "unheld":
      return new MachineFailure("refused", reason("helper.cannot_tell", {}, said.fields[0]?.toString("utf8")));
    case "unclaimed":
      return new TypeError("a change was asked for on a connection that only looks");
    default:
      return null;
  }
}

/** @throws what `whyUnheld` returns */
export function refuseUnheld(said: Said): void {
  const why = whyUnheld(said);
  if (why !== null) throw why;
}

function rememberedIn({ fields }: Said) {
  const [number, token, since] = fields.map((field) => field.toString("latin1"));
  return token === undefined ? null : { number: Number(number), token, since: Number(since) };
}

export function messageOf(id: number, word: string, fields: readonly Field[]): Buffer {
  const bytes = fields.map((field) => (typeof field === "string" ? Buffer.from(field, "utf8") : field));
  return Buffer.concat([Buffer.from(`${[id, word, ...bytes.map(({ length }) => length)].join(" ")}\n`), ...bytes]);
}

/** How much may come unasked: a lot at once, and less in the long run. */
function makeBucket() {
  let left = LINES_AT_ONCE;
  let at = performance.now();
  return {
    room: () => {
      const now = performance.now();
      left = Math.min(LINES_AT_ONCE, left + (now - at) * LINES_A_MS);
      at = now;
      return left;
    },
    take(bytes: number): void {
      left -= MESSAGE_COSTS + bytes;
    },
  };
}

/**
 * Takes pieces of a stream and passes on complete messages. Returns false once the stream makes no sense, or a message to this id
 * has more bytes than `roomOf` allows; 0: none is expected.
 */
export function makeReader(
  take: (message: Said & { id: number }, bytes: number) => void,
  roomOf: (id: number) => number = () => Number.POSITIVE_INFINITY,
): (piece: Buffer) => boolean {
  let pieces: Buffer[] = [];
  let size = 0;
  let needed = 1;
  return (piece) => {
    pieces.push(piece);
    size += piece.length;
    while (size >= needed) {
      const all = pieces.length === 1 ? (pieces[0] as Buffer) : Buffer.concat(pieces);
      pieces = [all];
      const headEnd = all.indexOf(10);
      if (headEnd < 0) {
        needed = size + 1;
        return size <= HEAD_LIMIT;
      }
      const [, id, word = "", lengths = ""] =
        /^(\d{1,15}) ([a-z]{1,10})((?: \d{1,9})*)$/.exec(all.toString("latin1", 0, headEnd)) ?? [];
      if (id === undefined) return false;
      const room = roomOf(Number(id));
      const sizes = lengths.split(" ").slice(1).map(Number);
      const end = headEnd + 1 + sizes.reduce((sum, length) => sum + length, 0);
      if (room <= 0 || end > HEAD_LIMIT + room) return false;
      needed = end;
      if (size < needed) return true;
      let at = headEnd + 1;
      const fields = sizes.map((length) => {
        const field = all.subarray(at, at + length);
        at += length;
        return field;
      });
      pieces = [all.subarray(at)];
      size -= at;
      needed = 1;
      take({ id: Number(id), word, fields }, end);
    }
    return true;
  };
}
