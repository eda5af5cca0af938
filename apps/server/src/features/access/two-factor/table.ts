export type TwoFactorTables = {
  two_factor: {
    member_id: string;
    /** The secret's base32, sealed. */
    sealed_secret: string;
    /** Null while it is offered only. */
    enabled_at: number | null;
    /** JSON: the 30-second steps of the last codes that counted. None of them counts again, and no earlier one either. */
    used_steps: string;
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
