export type TwoFactorTables = {
  two_factor: {
    member_id: string;
    /** The secret's base32, sealed. */
    sealed_secret: string;
    /** Null while it is offered only. */
    enabled_at: number | null;
    /** The 30-second step of the last code that counted: no step at or before counts again. */
    last_used_step: number | null;
    /** Since the last right one. */
    wrong_codes: number;
    last_wrong_at: number | null;
  };
  recovery_codes: {
    member_id: string;
    code_hash: string;
  };
};

export type TwoFactorRow = TwoFactorTables["two_factor"];
