import type { ColumnsOf } from "@krug/domain/fields/field";
import type { INVITE_FIELDS } from "@krug/domain/fields/invite";

export type InviteTables = {
  invite_codes: ColumnsOf<typeof INVITE_FIELDS> & {
    id: string;
    /** Keyed hash of the code, to look it up. */
    code_hash: string;
    sealed_code: string;
    /** A member's own code grants their interfaces and the trial; a staff code says what it grants. */
    kind: "member" | "staff";
    created_by: string;
    created_at: number;
    current_uses: number;
  };
  invite_attempts: {
    /** Keyed hash of the address group: the address is not stored. */
    address_hash: string;
    wrong_codes: number;
    last_wrong_at: number;
  };
  /** Counts within a day of `since`, ms since 1970. */
  joining_counts: {
    /** Keyed hash of an address group, `code:` and the id of an invite code, or `club`. */
    subject: string;
    what: "joined" | "name_taken" | "wrong_code";
    times: number;
    since: number;
  };
};

export type InviteRow = InviteTables["invite_codes"];
export type JoiningCountRow = InviteTables["joining_counts"];
export type AttemptRow = InviteTables["invite_attempts"];
