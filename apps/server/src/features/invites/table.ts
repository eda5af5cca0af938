export type InviteTables = {
  invite_codes: {
    id: string;
    /** Keyed hash of the code, for looking it up. */
    code_hash: string;
    sealed_code: string;
    /** A member's own code brings his interfaces and the trial; a staff code says what it brings. */
    kind: "member" | "staff";
    created_by: string;
    created_at: number;
    /** Null when it never expires. */
    expires_at: number | null;
    /** -1 = no limit. */
    max_uses: number;
    current_uses: number;
    /** Counted from registration. */
    subscription_days: number | null;
    subscription_end: number | null;
    /** JSON list of the interfaces that are assigned at registration. */
    interface_ids: string;
    /** 0 once it was deactivated, for good. */
    is_active: number;
  };
  invite_attempts: {
    /** Keyed hash of the address group: the address is nowhere. */
    address_hash: string;
    wrong_codes: number;
    last_wrong_at: number;
  };
};

export type InviteRow = InviteTables["invite_codes"];
export type AttemptRow = InviteTables["invite_attempts"];
