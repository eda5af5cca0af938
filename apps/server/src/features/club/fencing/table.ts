export type GenerationTables = {
  generation: {
    one: 1;
    club: string;
    number: number;
    token: string;
    /** ms; 0 for a club's first generation. */
    since: number;
    /** The newer generation that a machine showed: this panel has stopped working since. */
    newer_number: number | null;
    newer_since: number | null;
    /** The server's name. */
    newer_on: string | null;
    newer_seen_at: number | null;
  };
};

export type GenerationRow = GenerationTables["generation"];
