import { type Reason, reasonCode, reasonLine, reasonSaid, reasonText } from "@krug/domain/reasons";
import { z } from "zod";

/** As returned in answers: in both languages, whichever the caller reads. */
export const Why = z.object({
  /** Several if several things are wrong: 'lack.programs lack.not_root'. */
  code: z.string(),
  ru: z.string(),
  en: z.string(),
  /** The machine's own output; null if there was none. */
  said: z.string().nullable(),
});
export type Why = z.output<typeof Why>;

export const whyOf = (kept: Reason): Why => ({
  code: reasonCode(kept),
  ru: reasonText(kept, "ru"),
  en: reasonText(kept, "en"),
  said: reasonSaid(kept),
});

/** For a field of an answer; the English line next to it is for programs that predate the codes. */
export const whyOrNull = (kept: Reason | null): Why | null => (kept === null ? null : whyOf(kept));
export const lineOrNull = (kept: Reason | null): string | null => (kept === null ? null : reasonLine(kept, "en"));
