import type { RingState } from "../../../ui/ring.tsx";
import type { StaffTicket } from "./queries.ts";

/** An open ticket waits for staff. */
export const RINGS: Record<StaffTicket["status"], RingState> = { open: "warn", in_progress: "wait", closed: "done" };
