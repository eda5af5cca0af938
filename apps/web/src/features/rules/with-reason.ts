import { ApiError, explain } from "../../lib/api.ts";

/** The sentence of the specification for what failed, and why it did (admin-side, section 8). */
export const withReason = (error: unknown, ours: string, silence: string): string =>
  error instanceof ApiError && error.message ? `${ours}. ${error.message}` : explain(error, ours, silence);
