import { reason } from "@krug/domain/reasons";
import type { AnyAuthMethod, AuthenticationType, ConnectConfig, KeyboardInteractiveAuthMethod } from "ssh2";
import type { SshProblem } from "../host.ts";
import { SshFailure, type Target } from "../remote.ts";
import { IS_EXPIRED } from "./answered.ts";
import { ASKS_CODE, answerPrompts, askedBy } from "./prompts.ts";

/** In the order in which they are tried: a machine that knows the key is not sent the password. */
const WAYS = ["publickey", "password", "keyboard-interactive"] as const;
type Way = (typeof WAYS)[number];
type Refused = { problem: SshProblem; said: string | null };

/**
 * Signs in with what the login has and the machine accepts, and reports why it was refused. `giveUp` ends a dialogue that leads
 * nowhere.
 */
export function signInBy(
  { username, login }: Pick<Target, "username" | "login">,
  giveUp: (problem: SshProblem, said: string | null) => void,
) {
  const password = "password" in login ? login.password : null;
  const next = "password" in login ? (login.newPassword ?? null) : null;
  const key = login.privateKey;
  const tried = new Set<Way>();
  let takes: readonly string[] = [];
  let isHalfway = false;
  let hasNewPassword = false;

  const has = (way: Way) => (way === "publickey" ? key !== undefined : password !== null);

  const handler = (left: readonly string[] | null, isPartial: boolean | null): AnyAuthMethod | false => {
    // The first answer says what the machine accepts.
    if (left === null) return { type: "none", username };
    if (takes.length === 0) takes = left;
    isHalfway ||= isPartial === true;
    const way = WAYS.find((each) => has(each) && left.includes(each) && !tried.has(each));
    if (way === undefined) return false;
    tried.add(way);
    if (way === "publickey") return { type: way, username, key: key ?? "" };
    if (way === "password") return { type: way, username, password: password ?? "" };
    return { type: way, username, prompt: converse };
  };

  const dialogue = next === null ? null : answerPrompts({ current: password ?? "", next });
  let first: string | null = null;
  /** Some servers ask for the password as a question, along with other questions. */
  const replyTo = (instructions: string, asked: readonly string[]): { answers: string[] } | Refused => {
    const all = [instructions, ...asked].join(" ").trim();
    const isNewWanted =
      asked.some((prompt) => ["next", "again"].includes(askedBy(prompt) ?? "")) || IS_EXPIRED.test(all);
    if (first !== null && isNewWanted) {
      const answers = asked.flatMap((prompt) => dialogue?.answer(prompt) ?? []);
      hasNewPassword = dialogue?.isDone() ?? false;
      return answers.length === asked.length ? { answers } : { problem: "password_expired", said: all };
    }
    const [prompt] = asked;
    if (asked.length === 1 && prompt !== undefined && first === null && !ASKS_CODE.test(prompt)) {
      first = prompt;
      return { answers: [password ?? ""] };
    }
    if (prompt === first) return { problem: "login_refused", said: null };
    return { problem: "second_factor", said: all };
  };
  const converse: KeyboardInteractiveAuthMethod["prompt"] = (_name, instructions, _language, prompts, finish) => {
    const reply = replyTo(
      instructions,
      prompts.map(({ prompt }) => prompt.trim()),
    );
    if ("answers" in reply) finish(reply.answers);
    else giveUp(reply.problem, reply.said);
  };

  return {
    hasNewPassword: () => hasNewPassword,
    /** The other way in which a machine demands another password. */
    changes(prompt: string, finish: (next: string) => void): void {
      hasNewPassword = next !== null;
      if (next === null) giveUp("password_expired", prompt);
      else finish(next);
    },
    config: {
      ...(password === null ? {} : { password, tryKeyboard: true }),
      ...(key === undefined ? {} : { privateKey: key }),
      authHandler: (left: AuthenticationType[] | null, isPartial: boolean | null) => handler(left, isPartial),
    } as ConnectConfig,
    /** Once the machine has refused every way. */
    failure(options: ErrorOptions & { shownKey: string | null }): SshFailure {
      const ways = takes.join(", ") || "-";
      if (isHalfway)
        return new SshFailure("second_factor", { why: reason("ssh.one_way_not_enough", { ways }), ...options });
      const takesPassword = takes.includes("password") || takes.includes("keyboard-interactive");
      if (password !== null && !takesPassword)
        return new SshFailure("keys_only", { why: reason("ssh.keys_only", { ways }), ...options });
      if (password === null && !takes.includes("publickey"))
        return new SshFailure("login_refused", { why: reason("ssh.takes_no_key", { ways }), ...options });
      return new SshFailure("login_refused", options);
    },
  };
}
