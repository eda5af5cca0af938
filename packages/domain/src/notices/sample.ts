import { type NoticeKind, traitsOf } from "../notices.ts";
import type { ParamKind } from "./notice.ts";

const at = "2026-11-23T12:00:00.000Z";
const VALUES: Readonly<Record<Extract<ParamKind, string>, unknown>> = {
  text: "laptop",
  texts: ["laptop"],
  written: "Завтра встреча",
  person: "Вера",
  id: "0b0f5f0e-2f5e-4d5e-9a55-0c8d3d6f6f10",
  "id or null": null,
  "id if any": "0b0f5f0e-2f5e-4d5e-9a55-0c8d3d6f6f10",
  moment: at,
  "moment or null": at,
  day: "2026-11-22",
  count: 1,
  positive: 3,
  "positive if any": 3,
  bytes: 10,
  flag: false,
  "flag if any": true,
  sums: [{ amount: "300", currency: "RUB" }],
};
/** Sample params for a notice of this kind, for tests; a month is the only text that is parsed. */
export const sampleParams = (kind: NoticeKind): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(traitsOf(kind).params).map(([name, is]) => [
      name,
      typeof is !== "string" ? is[0] : name === "period" ? "2026-11" : VALUES[is],
    ]),
  );
