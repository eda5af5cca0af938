import { normalizeInviteCode } from "@krug/domain/invite-rules";
import { MINUTE_MS } from "@krug/domain/moment";
import type { Tx } from "../../../platform/database/database.ts";
import type { SealedColumn } from "../../../platform/sealed-columns.ts";
import { opened } from "../../../platform/sealing.ts";
import { drawCode } from "../../access/invites/index.ts";
import type { TelegramParts } from "./parts.ts";
import * as repository from "./repository.ts";
import type { CodeRow } from "./table.ts";

/** For both codes (decisions, section 8). */
const CODE_LIFE_MS = 10 * MINUTE_MS;
/** The client waits this long for the link (specification, member's side 9): a code with less time left is not given out again. */
const STILL_GOOD_MS = 2 * MINUTE_MS;

export interface GivenCode {
  code: string;
  /** ms since 1970. */
  expiresAt: number;
}

const place = ({ member_id, purpose }: Pick<CodeRow, "member_id" | "purpose">) =>
  `telegram_codes.code:${purpose}:${member_id}`;
export const sealedInTelegram: SealedColumn[] = [
  {
    table: "telegram_codes",
    column: "sealed_code",
    key: ["member_id", "purpose"],
    place: (key) => place(key as Pick<CodeRow, "member_id" | "purpose">),
  },
];

export type LinkCodes = ReturnType<typeof makeLinkCodes>;

/** The codes that link and unlink an account: one of each per member, sealed, with a keyed hash to look them up. */
export function makeLinkCodes({ clock, sealing }: Pick<TelegramParts, "clock" | "sealing">) {
  const hashOf = (code: string) => sealing.hash("telegram-code", code);
  const now = () => clock.now().getTime();

  return {
    /** Two tabs show the same code: asking again answers the live one, unless it is about to expire. */
    async give(tx: Tx, memberId: string, purpose: CodeRow["purpose"]): Promise<GivenCode> {
      const live = await repository.codeOf(tx, memberId, purpose);
      const known = live && opened(sealing, { place: place(live), text: live.sealed_code });
      if (known && live.expires_at - now() > STILL_GOOD_MS) return { code: known, expiresAt: live.expires_at };
      const row = { member_id: memberId, purpose, expires_at: now() + CODE_LIFE_MS };
      const seal = await sealing.sealer(tx);
      for (;;) {
        const code = drawCode();
        const sealed_code = seal(place(row), code);
        if (await repository.writeCode(tx, { ...row, code_hash: hashOf(code), sealed_code }))
          return { code, expiresAt: row.expires_at };
      }
    },
    /** The owner of this valid linking code, as typed; undefined if there is none. */
    async ownerOf(tx: Tx, typed: string): Promise<string | undefined> {
      const code = normalizeInviteCode(typed);
      if (code === null) return undefined;
      return (await repository.codeByHash(tx, "link", hashOf(code), now()))?.member_id;
    },
    /** Checks what a member typed to unlink. */
    async judgeUnlink(tx: Tx, memberId: string, typed: string): Promise<"right" | "wrong" | "expired"> {
      const live = await repository.codeOf(tx, memberId, "unlink");
      if (live === undefined || live.expires_at <= now()) return "expired";
      const code = normalizeInviteCode(typed);
      return code !== null && hashOf(code) === live.code_hash ? "right" : "wrong";
    },
    forget: (tx: Tx, memberId: string): Promise<void> => repository.deleteCodesOf(tx, memberId),
    forgetEnded: (tx: Tx): Promise<void> => repository.deleteCodesEndedBy(tx, now()),
  };
}
