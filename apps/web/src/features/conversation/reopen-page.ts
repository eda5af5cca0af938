import { forgetDrafts } from "./draft.ts";
import { forgetLetters } from "./outbox.ts";

/** For tests: what a page that was just opened knows of is what outlived the one before. */
export function reopenPage() {
  forgetDrafts();
  forgetLetters();
}
