import type { SpanInput } from "@krug/contract/operation/statistics";
import type { ClubTime } from "../../../platform/club-time.ts";
import type { Platform } from "../../../platform/platform.ts";
import type { Traffic } from "../../vpn/traffic/index.ts";
import { makeReadSpan, type ReadSpan } from "./span.ts";

type Whose = Parameters<Traffic["bucketsOf"]>[3];

export const describeSpan = ({ step, steps }: ReadSpan, clubTime: ClubTime) => ({
  zone: clubTime.zone(),
  from: steps[0]?.at ?? "",
  to: steps.at(-1)?.at ?? "",
  step,
});

/** As devices see it: the server's tx is what they received (decisions, section 6). */
export const asUsed = ({ rx, tx }: { rx: number; tx: number }) => ({ received: tx, sent: rx });

/** What these configs used in a span, step by step. */
export function makeTrafficOfSpan(parts: Platform & { traffic: Traffic }) {
  const { db, clubTime, traffic } = parts;
  const readSpan = makeReadSpan(parts);
  return async (input: SpanInput, whose: Whose) => {
    const span = readSpan(input);
    const found = await traffic.bucketsOf(db, span.range, span.step, whose);
    const steps = span.steps.map(({ key, at }) => ({ at, ...asUsed(found.get(key) ?? { rx: 0, tx: 0 }) }));
    return {
      ...describeSpan(span, clubTime),
      received: steps.reduce((sum, { received }) => sum + received, 0),
      sent: steps.reduce((sum, { sent }) => sum + sent, 0),
      steps,
    };
  };
}
