import type { SetupFailure, SetupStep } from "@krug/contract/vpn/server-setup";
import type { Reason } from "@krug/domain/reasons";

export type SetupTables = {
  setup_runs: {
    id: string;
    server_id: string;
    step: SetupStep;
    state: "running" | "success" | "error";
    failure: SetupFailure | null;
    detail: Reason | null;
    /** Lines stored so far. */
    lines: number;
    /** Lines received from the machine so far, stored or not. */
    heard: number;
    cancelled: number;
    started_by: string | null;
    started_at: number;
    ended_at: number | null;
  };
  setup_lines: { run_id: string; number: number; at: number; text: string };
};

/** One try of a step. */
export type RunRow = SetupTables["setup_runs"];
export type LineRow = SetupTables["setup_lines"];
