import type { MovedState } from "@krug/contract/vpn/old-programs";

export type OldProgramTables = {
  old_programs: {
    server_id: string;
    /** Of this attempt. */
    id: string;
    name: string;
    /** JSON of `How`. */
    how: string;
    public_key: string;
    /** JSON: what becomes of its devices, until they are written. */
    wish: string | null;
    /** Whether the club has its interface, or had it. */
    taken: number;
    /** Whether other firewalls of the machine were opened for it. */
    opened: number;
    state: MovedState;
    /** JSON of `Why`: why it went back. */
    why: string | null;
    /** JSON of `Why`: what keeps it from going back. */
    trouble: string | null;
    /** The new members with their links. */
    sealed_invited: string | null;
    started_by: string | null;
    started_at: number;
  };
};

/** What it takes to go back, written before anything ends. */
export type MovedRow = OldProgramTables["old_programs"];
