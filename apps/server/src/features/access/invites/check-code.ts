import { inviteState } from "@krug/domain/invite-rules";
import { HOUR_MS } from "@krug/domain/moment";
import { lockPlace, type Tx } from "../../../platform/database/database.ts";
import type { ClientAddress } from "../../../platform/http/client-address.ts";
import { refuse } from "../../../platform/refusal.ts";
import { addressGroup } from "../auth/index.ts";
import type { CodeBook } from "./code-book.ts";
import { standingOf } from "./code-book.ts";
import { codesGuessed } from "./events.ts";
import type { InviteParts } from "./parts.ts";
import * as repository from "./repository.ts";
import type { InviteRow } from "./table.ts";
import { type WrongCodes, wrongCodesOf } from "./wrong-codes.ts";

/** Wrong codes within an hour, from all addresses together, that are more than typing mistakes. */
const WAVE = 50;

/** Looks up a typed code and counts the wrong ones per address (decisions, section 4). */
export function makeCheckCode(parts: InviteParts, codeBook: CodeBook) {
  const { db, transact, clock, sealing, events, members, log } = parts;
  const hashOf = (address: ClientAddress) => sealing.hash("invite-address", addressGroup(address));

  /** The code's row while it is valid. A blocked or deleted member's own code is not. */
  const admitting = async (tx: Tx, typed: string): Promise<InviteRow | undefined> => {
    const codeHash = codeBook.hashOfTyped(typed);
    const row = codeHash === null ? undefined : await repository.findByHash(tx, codeHash);
    if (row === undefined || inviteState(standingOf(row), clock.now()) !== "active") return undefined;
    const inviter = row.kind === "member" ? await members.find(tx, row.created_by) : undefined;
    return row.kind === "member" && inviter?.is_active !== 1 ? undefined : row;
  };

  /** Warns staff once an hour while someone guesses from many addresses, which banning single addresses cannot stop. */
  const noteWave = async (tx: Tx, now: number) => {
    const { times: wrongCodes } = await repository.countJoining(tx, {
      subject: "club",
      what: "wrong_code",
      now,
      over: now - HOUR_MS,
    });
    if (wrongCodes !== WAVE) return;
    log.warn({ wrongCodes }, "many wrong invite codes within an hour: someone may be guessing");
    await events.record(tx, codesGuessed, { wrongCodes });
  };

  const state = async (address: ClientAddress): Promise<WrongCodes> =>
    wrongCodesOf(await repository.attempts(db, hashOf(address)), clock.now().getTime());

  const refuseBanned = (bannedUntil: number) =>
    refuse("invite.banned", { seconds: Math.ceil((bannedUntil - clock.now().getTime()) / 1000) });

  return {
    state,

    async refuseWhileBanned(address: ClientAddress): Promise<void> {
      const { bannedUntil } = await state(address);
      if (bannedUntil !== null) refuseBanned(bannedUntil);
    },

    /** The code's row, or a refusal: `invite.wrong_code`, counted, or `invite.banned` without checking the code. */
    async admit(typed: string, address: ClientAddress): Promise<InviteRow> {
      const address_hash = hashOf(address);
      const verdict = await transact(async (tx): Promise<{ row: InviteRow | undefined } | { bannedUntil: number }> => {
        // Simultaneous guesses from one address are checked one after another, so the ban holds for them too.
        await lockPlace(tx, `invite-address:${address_hash}`);
        const now = clock.now().getTime();
        const { count, bannedUntil } = wrongCodesOf(await repository.attempts(tx, address_hash), now);
        if (bannedUntil !== null) return { bannedUntil };
        const row = await admitting(tx, typed);
        if (row === undefined) {
          await repository.writeAttempts(tx, { address_hash, wrong_codes: count + 1, last_wrong_at: now });
          await noteWave(tx, now); // last, because every wrong code locks this row
        }
        return { row };
      });
      if ("bannedUntil" in verdict) return refuseBanned(verdict.bannedUntil);
      if (verdict.row !== undefined) return verdict.row;
      return refuse("invite.wrong_code");
    },

    /** Someone from this address has joined: earlier wrong codes are forgiven. */
    forgive: (tx: Tx, address: ClientAddress): Promise<void> => repository.clearAttempts(tx, hashOf(address)),
  };
}
