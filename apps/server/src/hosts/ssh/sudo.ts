import { type ReasonCode, reason } from "@krug/domain/reasons";
import { SshFailure } from "../remote.ts";
import { overhear, problemOf, type Running, wordsOf } from "./answered.ts";
import type { SshConnection } from "./connection.ts";
import { ASKS_CODE } from "./prompts.ts";
import { ANSWER_WITHIN_MS, NOISE_LIMIT, openShell } from "./script.ts";

const PROMPT = "krug-password:";
/** A prompt that waits this long asks for something that the panel does not have. */
const WAITS_MS = 2_000;
/** sudo-rs writes its own words around the prompt that it was given. */
const ASKS_PASSWORD = new RegExp(`${PROMPT}|^\\[sudo[^\\]]*\\] .*password`, "i");

/**
 * Root's shell. `sudoPassword` is for an account that is not root; it is sent only when sudo asks for it.
 * @throws SshFailure
 */
export async function openRootShell(
  connection: SshConnection,
  { username, sudoPassword }: { username: string; sudoPassword: string | null },
): Promise<Running> {
  if (username === "root") return openShell(connection, "/bin/bash -s");
  // An echo of the command does not contain the word.
  const ready = `printf "krug-%s\\n" ready`;
  const stream = await openShell(connection, `sudo -S -p ${PROMPT} /bin/bash -c '${ready}; exec /bin/bash -s'`);
  await passSudo(stream, sudoPassword);
  return stream;
}

/** Waits until sudo has let us in. */
function passSudo(stream: Running, password: string | null): Promise<void> {
  return new Promise((resolve, reject) => {
    const heard = overhear(stream);
    let first: string | null = null;
    let said = "";
    let complained = "";
    let waiting: NodeJS.Timeout | undefined;
    const end = (failure?: SshFailure) => {
      clearTimeout(timer);
      clearTimeout(waiting);
      stream.off("data", hear).off("close", closed).off("error", failed);
      stream.stderr.off("data", hearError);
      if (failure === undefined) return resolve();
      stream.destroy();
      reject(failure);
    };
    /** With sudo's own message, if it has one. */
    const refused = (code: ReasonCode, problem: "no_sudo" | "sudo_second" = "no_sudo", said = "") => {
      const words = wordsOf({ said: "", complained: heard().complained.replaceAll(PROMPT, "") });
      const told = password === null ? words : words.replaceAll(password, "");
      end(new SshFailure(problem, { why: reason(code, {}, [said, told].filter(Boolean).join(": ")) }));
    };
    const hearError = (piece: Buffer) => {
      complained += piece.toString();
      clearTimeout(waiting);
      const asks = complained.split("\n").at(-1)?.trim() ?? "";
      if (ASKS_PASSWORD.test(asks) && !ASKS_CODE.test(asks)) {
        if (password === null) return refused("sudo.asks_password");
        if (first === asks) return refused("sudo.refused_password");
        if (first !== null) return refused("ssh.sudo_second", "sudo_second");
        first = asks;
        complained = "";
        stream.write(`${password}\n`);
      } else if (/[:?>]$/.test(asks)) waiting = setTimeout(() => refused("ssh.sudo_second", "sudo_second"), WAITS_MS);
    };
    const hear = (piece: Buffer) => {
      said = (said + piece.toString()).slice(-NOISE_LIMIT);
      if (said.includes("krug-ready\n")) end();
    };
    const closed = () => {
      const problem = problemOf({ ...heard(), complained: heard().complained.replaceAll(PROMPT, "") });
      const isShell = problem === "password_expired" || problem === "other_command";
      if (isShell) end(new SshFailure(problem, { said: wordsOf(heard()) }));
      else refused("ssh.no_sudo");
    };
    const failed = (error: Error) => refused("ssh.lost", "no_sudo", error.message);
    const timer = setTimeout(() => refused("sudo.silent"), ANSWER_WITHIN_MS);
    stream.on("data", hear).on("close", closed).on("error", failed);
    stream.stderr.on("data", hearError);
  });
}
