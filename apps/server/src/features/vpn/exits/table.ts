import type { Reason } from "@krug/domain/reasons";
import type { ExitLink } from "@krug/domain/routing-rules";

export type ExitTables = {
  exit_links: {
    id: string;
    number: number;
    entry_id: string;
    exit_id: string;
    subnet: string;
    subnet_v6: string;
    /** Where the entry reaches the exit. */
    address: string;
    type: ExitLink;
    /** JSON, what both sides of AmneziaWG share. */
    parameters: string;
    exit_port: number;
    entry_port: number;
    entry_public_key: string;
    sealed_entry_key: string;
    exit_public_key: string;
    sealed_exit_key: string;
    keys_at: number;
    entry_conflict: Reason | null;
    exit_conflict: Reason | null;
    down_since: number | null;
    has_answered: 0 | 1;
    gone_since: number | null;
    stuck_since: number | null;
    created_at: number;
  };
};
export type LinkRow = ExitTables["exit_links"];
