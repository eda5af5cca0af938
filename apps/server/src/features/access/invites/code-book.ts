import { randomInt, randomUUID } from "node:crypto";
import { INVITE_ALPHABET, INVITE_CODE_LENGTH, normalizeInviteCode } from "@krug/domain/invite-rules";
import type { Tx } from "../../../platform/database/database.ts";
import type { SealedColumn } from "../../../platform/sealed-columns.ts";
import { opened, type Sealing } from "../../../platform/sealing.ts";
import * as repository from "./repository.ts";
import type { InviteRow } from "./table.ts";

const UNREADABLE = "?".repeat(INVITE_CODE_LENGTH);

export type CodeBook = ReturnType<typeof makeCodeBook>;

const place = (id: string) => `invite_codes.code:${id}`;
export const sealedInInvites: SealedColumn[] = [
  { table: "invite_codes", column: "sealed_code", key: ["id"], place: ({ id = "" }) => place(id) },
];

/** How codes are drawn, stored and read back: sealed, with a keyed hash to look them up (decisions, section 4). */
export function makeCodeBook(sealing: Sealing) {
  const hashOf = (code: string) => sealing.hash("invite-code", code);
  return {
    /** The hash to look a typed code up by; null if it cannot be a code. */
    hashOfTyped(typed: string): string | null {
      const code = normalizeInviteCode(typed);
      return code === null ? null : hashOf(code);
    },
    /** One that cannot be opened still admits whoever has it, and staff can delete it. */
    codeOf: ({ id, sealed_code }: InviteRow): string =>
      opened(sealing, { place: place(id), text: sealed_code }) ?? UNREADABLE,
    /** Writes a new random code; if it exists already, another is drawn. */
    async write(tx: Tx, invite: Omit<InviteRow, "id" | "code_hash" | "sealed_code">): Promise<InviteRow> {
      const seal = await sealing.sealer(tx);
      for (;;) {
        const id = randomUUID();
        const code = drawCode();
        const row = { ...invite, id, code_hash: hashOf(code), sealed_code: seal(place(id), code) };
        if (await repository.insert(tx, row)) return row;
      }
    },
  };
}

/** Six random characters from an alphabet without lookalikes. */
export const drawCode = () =>
  Array.from({ length: INVITE_CODE_LENGTH }, () => INVITE_ALPHABET[randomInt(INVITE_ALPHABET.length)]).join("");

/** A row as the invite rules read it. */
export const standingOf = (row: InviteRow) => ({
  isActive: row.is_active === 1,
  expiresAt: row.expires_at,
  subscriptionEnd: row.subscription_end,
  maxUses: row.max_uses,
  currentUses: row.current_uses,
});
