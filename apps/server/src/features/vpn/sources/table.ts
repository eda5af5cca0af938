import type { Reason } from "@krug/domain/reasons";

export type SourceTables = {
  list_sources: {
    id: string;
    /** In canonical form (@krug/wireguard/list-source). */
    source: string;
    /** JSON: the networks in force, as the fewest. */
    networks: string;
    /** Lines of the last answer that are no network. */
    unread: number;
    etag: string | null;
    /** When a look-up last succeeded, and when the next is due. */
    good_at: number;
    due_at: number;
    failing_since: number | null;
    /** Why the last look-up failed. */
    problem: Reason | null;
    /** When staff were notified of the failure. */
    told_at: number | null;
    /** JSON: networks that an admin has yet to accept, and since when. */
    waiting: string | null;
    waiting_since: number | null;
    /** The mark of the networks that were refused last. */
    refused: string | null;
    /** 1: an earlier version was brought back, and whatever differs from it waits. */
    held: number;
    created_at: number;
    /** JSON, of a domain: when each network was last answered, ms. */
    seen: string | null;
  };
  source_versions: {
    id: string;
    source_id: string;
    /** JSON */
    networks: string;
    made_at: number;
  };
  source_uses: { service_id: string; source_id: string };
};

export const listIn = (json: string): string[] => JSON.parse(json) as string[];

export type SourceRow = SourceTables["list_sources"];
export type VersionRow = SourceTables["source_versions"];
