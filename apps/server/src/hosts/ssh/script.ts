import { randomUUID } from "node:crypto";
import { type ReasonCode, reason } from "@krug/domain/reasons";
import { DiskFull, SshFailure } from "../remote.ts";
import { type Channel, overhear, problemOf, type Running } from "./answered.ts";
import { atMost } from "./at-most.ts";
import type { SshConnection } from "./connection.ts";

export const ANSWER_WITHIN_MS = 30_000;
/** More than a shell, our scripts and sudo print, including sudo's lecture. */
export const NOISE_LIMIT = 65_536;
const OUTPUT_LIMIT = 20_000;
const COMPLAINT_LIMIT = 300;
/** How a script exits on a full disk; ENOSPC's number. */
const NO_ROOM = 28;

/** A shell, which may print first, but not endlessly. @throws SshFailure */
export const openShell = async (connection: SshConnection, command: string): Promise<Running> =>
  atMost(NOISE_LIMIT, await connection.open(command));

/**
 * Gives a shell a script and returns its output. A shell may print first, or something else may run instead: only the text
 * between two marks is the script's, and without the second one it has not completed. @throws SshFailure
 */
export function runScript(stream: Channel, text: string): Promise<string> {
  const mark = randomUUID();
  const begin = `krug-begin-${mark}\n`;
  const end = `krug-end-${mark}\n`;
  return new Promise((resolve, reject) => {
    const heard = overhear(stream);
    const printed = after(begin, OUTPUT_LIMIT);
    const complaint = after(begin, COMPLAINT_LIMIT);
    const fail = (why: ReasonCode) => {
      clearTimeout(timer);
      stream.destroy();
      const { said, complained, code } = heard();
      if (printed.text() !== null) {
        const told = complaint.text()?.trim() || null;
        return reject(
          code === NO_ROOM
            ? new DiskFull(told)
            : new SshFailure("no_agent", { why: reason("helper.not_put", {}, told) }),
        );
      }
      // Nothing of the script has run.
      const words = `${complained}\n${said}`.trim();
      const problem = problemOf({ said, complained, code });
      reject(new SshFailure(problem, words === "" ? { why: reason(why) } : { said: words }));
    };
    const timer = setTimeout(() => fail("ssh.silent"), ANSWER_WITHIN_MS);
    stream.on("error", ({ message }: Error) => {
      clearTimeout(timer);
      stream.destroy();
      reject(new SshFailure("no_agent", { said: message }));
    });
    stream.on("data", printed.hear);
    stream.stderr?.on("data", complaint.hear);
    stream.on("close", () => {
      const ended = printed.text()?.indexOf(end) ?? -1;
      if (ended < 0) return fail("ssh.ended");
      clearTimeout(timer);
      resolve(printed.text()?.slice(0, ended) ?? "");
    });
    stream.end(asScript(text, mark));
  });
}

/** Collects what comes after a mark; null before it. */
function after(mark: string, limit: number) {
  let isThere = false;
  let text = "";
  return {
    hear(piece: Buffer): void {
      text += piece.toString();
      if (!isThere) {
        const at = text.indexOf(mark);
        isThere = at >= 0;
        text = isThere ? text.slice(at + mark.length) : text.slice(-mark.length);
      }
      text = text.slice(0, limit + mark.length);
    },
    text: () => (isThere ? text : null),
  };
}

/**
 * Braces: the whole text is read before its first command runs, and no command reads it. An echo of the script contains no mark.
 * A failure on a full disk is reported as such, because the failed program's own message is in the machine's language.
 */
const asScript = (
  text: string,
  mark: string,
) => `{ printf 'krug-%s\\n' 'begin-${mark}'; printf 'krug-%s\\n' 'begin-${mark}' >&2
set -eu
has_room() { [ "$(df -Pk "$1" | awk 'NR == 2 { print $4 }')" -ge 1024 ]; }
trap '[ $? = 0 ] || { has_room ~ && has_room /usr; } || exit ${NO_ROOM}' EXIT
${text}
printf 'krug-%s\\n' 'end-${mark}'
exit 0; } </dev/null
`;
