import type { Duplex, Readable } from "node:stream";
import type { SshProblem } from "../host.ts";

/** A command on the machine: the stream is its stdin and stdout. */
export type Running = Duplex & { stderr: Readable };
/** A command that may be just a pair of pipes. */
export type Channel = Duplex & { stderr?: Readable };

/** The output instead of that of our own program. */
export interface Answered {
  /** On stdout. */
  said: string;
  /** On stderr. */
  complained: string;
  code: number | null;
}

const WORDS_LIMIT = 300;

/** Reads from a command that may not be ours at all; returns a function for the output so far. */
export function overhear(stream: Channel): () => Answered {
  const heard: Answered = { said: "", complained: "", code: null };
  const more = (before: string, piece: Buffer) =>
    before.length >= WORDS_LIMIT ? before : (before + piece.toString()).slice(0, WORDS_LIMIT);
  stream.on("data", (piece: Buffer) => {
    heard.said = more(heard.said, piece);
  });
  stream.stderr?.on("data", (piece: Buffer) => {
    heard.complained = more(heard.complained, piece);
  });
  const ended = (code?: number | null) => {
    heard.code ??= code ?? null;
  };
  // If the command ends at once, ssh2 may report the code only when it closes.
  stream.on("exit", ended).on("close", ended);
  return () => heard;
}

/** The machine's own words, on one line. */
export const wordsOf = ({ said, complained }: Pick<Answered, "said" | "complained">): string =>
  `${complained}\n${said}`.replace(/\s+/g, " ").trim().slice(0, WORDS_LIMIT);

/** What OpenSSH and PAM print if a password must be changed first. */
export const IS_EXPIRED = /password.{0,20}expired|required to change your password|password change required/i;

/** Why our command did not run, by the messages of sshd, PAM, login shells and cloud images. */
export function problemOf(answered: Answered): SshProblem {
  const { said, code } = answered;
  const words = wordsOf(answered);
  if (IS_EXPIRED.test(words)) return "password_expired";
  if (/please log ?in as the user/i.test(words)) return "root_closed";
  if (words === "" && code === null) return "lost";
  if (words === "" || /account is (currently )?not available/i.test(words)) return "no_shell";
  if (/^sudo(-rs)?: /m.test(answered.complained)) return "no_sudo";
  // The shell looked for the command and found none, or the command itself complained.
  if (code === 126 || code === 127 || (said.trim() === "" && code !== 0)) return "no_agent";
  return "other_command";
}
