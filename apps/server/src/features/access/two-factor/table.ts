export type TwoFactorTables = {
  two_factor: {
    member_id: string;
    /** The secret's base32, sealed. */
    sealed_secret: string;
    /** Null while it is only offered. */
    enabled_at: number | null;
    /** JSON: the 30-second steps of the last codes that counted. Neither they nor earlier ones count again. */
    used_steps: string;
    /** Since the last correct one. */
    wrong_codes: number;
    last_wrong_at: number | null;
  };
  recovery_codes: {
    member_id: string;
    code_hash: string;
  };
};

export type TwoFactorRow = TwoFactorTables["two_factor"];
