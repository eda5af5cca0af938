import type { Language } from "@krug/contract/refusals";

export type PushTables = {
  /** One row, for the whole club. */
  push_keys: {
    name: "club";
    /** base64url, as browsers take it. */
    public_key: string;
    sealed_private_key: string;
  };
  push_subscriptions: {
    id: string;
    member_id: string;
    session_id: string;
    /** Keyed hash of the endpoint, to look the browser up by. */
    endpoint_hash: string;
    /** JSON: the endpoint and its keys. An endpoint identifies one browser among all others. */
    sealed_endpoint: string;
    device: string | null;
    /** The language of its notices. */
    language: Language;
    created_at: number;
    /** When the browser was last seen. */
    seen_at: number;
  };
};

export type SubscriptionRow = PushTables["push_subscriptions"];
