import { counter } from "@krug/domain/plural";
import type { ledger as ru } from "./ledger-words-ru.ts";

const months = counter("en", { one: "month", other: "months" });

export const ledger: typeof ru = {
  open: "How the end came about",
  failed: "Could not load",
  none: "No subscription yet.",
  older: "Show earlier",
  panel: "panel",
  kinds: {
    opening: "When records began",
    trial: "Trial",
    code: "By invite code",
    added: "When added to the club",
    payment: "Payment",
    free_month: "Month without payment",
    taken_back: "Payment not received",
    extension: "Extension",
    date: "New date",
    undo: "Undone",
    deleted: "Member deleted",
  },
  gift: "Gift",
  monthsFrom: (count: number, month: string) => (count === 1 ? month : `${months(count)}, the first: ${month}`),
  until: (day: string) => `subscription until ${day}`,
  nothing: "no subscription",
  same: "the end did not change",
};
