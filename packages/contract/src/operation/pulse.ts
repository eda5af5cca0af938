import { z } from "zod";
import { endpoint } from "../endpoint.ts";
import { AsViewed, ClubMoment, Named } from "../fields.ts";
import { Period } from "../money/payments.ts";
import { Sum } from "../money/sums.ts";

const Count = z.int().nonnegative();
const used = { received: Count, sent: Count };

/** How many members whose paid time ends soon are named. */
export const ENDING_NAMED = 5;
/** How many months of revenue are shown, including the current one. */
export const PULSE_MONTHS = 6;

const Pulse = z.object({
  /** Active members whose subscription ends within seven days, the soonest first. */
  ending: z.object({
    count: Count,
    members: z.array(z.object({ ...Named.shape, subscriptionEnd: ClubMoment })).max(ENDING_NAMED),
  }),
  /** `joined`: in the last seven days. */
  members: z.object({ all: Count, active: Count, joined: Count }),
  /** Configs, and those that are connected now. */
  devices: z.object({ all: Count, online: Count }),
  /** The last 24 hours; `steps`: as in `/admin/statistics/traffic`. */
  traffic: z.object({ zone: z.string(), ...used, steps: z.array(z.object({ at: z.string(), ...used })) }),
  /** What came in, month by month, the oldest first; none of a currency if nobody paid in it. */
  revenue: z.array(z.object({ period: Period, cameIn: z.array(Sum) })).length(PULSE_MONTHS),
});

/** Beyond the specifications. */
export const pulse = {
  read: endpoint("GET /admin/pulse", {
    needs: "area.enter",
    summary: "Who ends soon and how the club is doing, in one answer; a moderator's leaves out VIP members",
    query: z.object(AsViewed),
    answer: Pulse,
  }),
};
