import type { ProbeState } from "@krug/domain/probe";

export type ProbeTables = {
  probes: {
    interface_id: string;
    /** Host and port that were probed; another target starts over. */
    target: string;
    /** From the server's own machine, which says nothing about the route there. */
    from_inside: number;
    state: ProbeState;
    /** ms since 1970: when this state began, and when it was last confirmed, give or take the time between two writes. */
    since: number;
    checked_at: number;
    /** The timestamp of the last handshake before that: an interface accepts none that is earlier. */
    greeted_at: number;
  };
};

export type ProbeRow = ProbeTables["probes"];
