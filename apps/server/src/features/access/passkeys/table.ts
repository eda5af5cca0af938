/** What an authenticator is asked to sign for: signing in, the second factor, a new passkey. */
export type PasskeyPurpose = "sign_in" | "enter" | "add";

export type PasskeyTables = {
  passkeys: {
    id: string;
    member_id: string;
    /** The authenticator's own id of it, base64url. */
    credential_id: string;
    /** COSE, base64url. Not a secret. */
    public_key: string;
    /** JSON: how browsers reach the authenticator. */
    transports: string;
    /** Uses that the authenticator counted; 0: it does not count. */
    counter: number;
    /** Where it works. */
    host: string;
    name: string;
    /** ms since 1970 */
    created_at: number;
    last_used_at: number | null;
  };
  passkey_challenges: {
    challenge_hash: string;
    purpose: PasskeyPurpose;
    /** Keyed hash of the session, or of a guest's address. */
    asked_by: string;
    expires_at: number;
  };
};

export type PasskeyRow = PasskeyTables["passkeys"];
export type ChallengeRow = PasskeyTables["passkey_challenges"];
