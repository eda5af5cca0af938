import { PasswordRefused, type Passwords } from "../remote.ts";
import { overhear, wordsOf } from "./answered.ts";
import { atMost } from "./at-most.ts";
import type { SshConnection } from "./connection.ts";
import { answerPrompts, askedBy } from "./prompts.ts";
import { NOISE_LIMIT } from "./script.ts";

const DIALOGUE_WITHIN_MS = 30_000;

/**
 * Gives the account another password in the dialogue that sshd opens on a terminal when one is required (`passwd`).
 * @throws SshFailure, PasswordRefused
 */
export async function changePassword(connection: SshConnection, passwords: Passwords): Promise<void> {
  // Run by a machine that requires no other password.
  const stream = atMost(NOISE_LIMIT, await connection.openTerminal("exit 0"));
  const heard = overhear(stream);
  const dialogue = answerPrompts(passwords);
  /** Output since the last answer: the machine's objections. */
  let since = "";
  await new Promise<void>((resolve, reject) => {
    const timer = setTimeout(() => stream.destroy(), DIALOGUE_WITHIN_MS);
    stream.on("data", (piece: Buffer) => {
      since = (since + piece.toString()).slice(-1_000);
      const prompt = since.split("\n").at(-1) ?? "";
      if (!/[:?] ?$/.test(prompt) || askedBy(prompt) === null) return;
      const answer = dialogue.answer(prompt);
      if (answer === null) return void stream.destroy();
      since = "";
      stream.write(`${answer}\r`);
    });
    stream.on("close", () => {
      clearTimeout(timer);
      if (dialogue.isDone() && heard().code === 0) return resolve();
      const words = wordsOf({ said: since, complained: "" });
      const hidden = words.replaceAll(passwords.current, "").replaceAll(passwords.next, "");
      reject(new PasswordRefused(hidden || null));
    });
  });
}
