export type ApiTokenTables = {
  api_tokens: {
    id: string;
    member_id: string;
    /** Keyed hash of the token: the token itself is not stored. */
    token_hash: string;
    name: string;
    /** JSON: a list of scopes. */
    scopes: string;
    /** ms since 1970 */
    created_at: number;
    expires_at: number;
    /** To the minute; null: never used. */
    last_used_at: number | null;
  };
};

export type ApiTokenRow = ApiTokenTables["api_tokens"];
