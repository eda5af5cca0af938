import { LOGIN_FAILURES_KEPT_MS, loginRetryAfter } from "@krug/domain/login-throttle";
import type { Tx } from "../../../platform/database/database.ts";
import type { ClientAddress } from "../../../platform/http/client-address.ts";
import { makeTurnsByKey } from "../../../platform/limiter.ts";
import type { Platform } from "../../../platform/platform.ts";
import { refuse } from "../../../platform/refusal.ts";
import type { MemberRow, Members } from "../../members/members/index.ts";
import { addressGroup } from "./address-group.ts";
import type { KnownDevices } from "./known-devices.ts";
import type { PasswordHashing } from "./password-hash.ts";
import * as repository from "./repository.ts";
import type { AttemptRow } from "./table.ts";

export interface Proof {
  username: string;
  password: string;
  /** The caller's address; only a keyed hash of it is stored. */
  address: ClientAddress;
  /** The caller's cookie of known devices. */
  device: string | null;
}

/** The counters of an attempt: the known device's only, or the account's and the address's. */
type Counters = readonly [own: string, address?: string];

/**
 * Returns the member with this name and password, or null: an unknown name and a wrong password get the same answer in the same
 * time. Wrong ones are counted per account and per address. While either has to wait, even the right password is refused, with
 * `auth.too_many_attempts` (decisions, section 2). A browser that has signed in to the account before has its own counter, so
 * that strangers who guess do not keep the owner out.
 */
export function makeProvePassword(
  parts: Platform & { members: Members; isPassword: PasswordHashing["isPassword"]; knownDevices: KnownDevices },
) {
  const { db, transact, clock, sealing, members, isPassword, knownDevices } = parts;
  // One at a time for each address or known device: what follows its free guesses is refused before anything is hashed.
  const limited = makeTurnsByKey();
  const accountSubject = (username: string) => sealing.hash("login-account", username.toLowerCase());
  const addressSubject = (address: ClientAddress) => sealing.hash("login-address", addressGroup(address));

  const refuseWhileWaiting = (rows: readonly AttemptRow[], now: number) => {
    const seconds = secondsToWait(rows, now);
    if (seconds > 0) refuse("auth.too_many_attempts", { seconds });
  };

  const settle = async (tx: Tx, counters: Counters, isRight: boolean) => {
    const now = clock.now().getTime();
    const [own, address] = counters;
    const subjects = subjectsOf(counters);
    const rows = await repository.lockAttempts(tx, subjects);
    // Simultaneous guesses get their verdicts one after another, so the delay holds for them too.
    refuseWhileWaiting(rows, now);
    const failuresOf = (subject: string) => {
      const row = rows.find((candidate) => candidate.subject === subject);
      return row === undefined ? 0 : wrongOf(row, now).failures;
    };
    if (!isRight) {
      for (const subject of subjects)
        await repository.writeAttempts(tx, { subject, failures: failuresOf(subject) + 1, last_failure_at: now });
      return;
    }
    await repository.deleteAttempts(tx, own);
    if (address === undefined) return;
    // A sign-in clears only this account's mistakes from the address: an own account must not clear guesses at others.
    const left = failuresOf(address) - failuresOf(own);
    if (left <= 0) return repository.deleteAttempts(tx, address);
    const lastFailureAt = rows.find((row) => row.subject === address)?.last_failure_at ?? now;
    await repository.writeAttempts(tx, { subject: address, failures: left, last_failure_at: lastFailureAt });
  };

  return {
    async provePassword({ username, password, address, device }: Proof): Promise<MemberRow | null> {
      const claimed = await members.findByUsername(db, username);
      const known = claimed === undefined ? null : knownDevices.counterOf(device, claimed);
      const counters: Counters = known === null ? [accountSubject(username), addressSubject(address)] : [known];
      return limited(counters[1] ?? counters[0], async () => {
        refuseWhileWaiting(await repository.attemptsOf(db, subjectsOf(counters)), clock.now().getTime());
        // Read again: the password may have changed while this attempt waited.
        const member = await members.findByUsername(db, username);
        const isRight = await isPassword(member?.password_hash ?? null, password);
        await transact((tx) => settle(tx, counters, isRight));
        return isRight && member !== undefined ? member : null;
      });
    },
    /** Clears the account's wrong passwords: it has a new one. */
    forgiveAccount: (tx: Tx, username: string) => repository.deleteAttempts(tx, accountSubject(username)),
    /** For every account and address. */
    forgiveEveryone: (tx: Tx) => repository.deleteAllAttempts(tx),
  };
}

const subjectsOf = (counters: Counters) => counters.filter((subject) => subject !== undefined);

/** Seconds until all of these counters allow the next attempt; 0: now. */
export const secondsToWait = (rows: readonly AttemptRow[], now: number): number =>
  Math.ceil(Math.max(0, ...rows.map((row) => loginRetryAfter(wrongOf(row, now), now))) / 1000);

/** After a quiet day the count restarts, even if the row is not deleted yet. */
export function wrongOf(row: AttemptRow, now: number) {
  const isOver = row.failures === 0 || now - row.last_failure_at >= LOGIN_FAILURES_KEPT_MS;
  return isOver ? { failures: 0, lastFailureAt: null } : { failures: row.failures, lastFailureAt: row.last_failure_at };
}
