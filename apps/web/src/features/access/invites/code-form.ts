import { NO_LIMIT } from "@krug/domain/config-rules";
import { clubDay } from "../../../lib/format.ts";
import type { CodeChange, InviteCode, NewCode } from "./staff-queries.ts";
import type { StaffInvitesWords } from "./staff-words.ts";

/** A code as form fields. */
export interface CodeForm {
  interfaces: readonly string[];
  /** Empty: the default. */
  templateId: string;
  gives: "days" | "date" | "trial";
  days: string;
  /** YYYY-MM-DD */
  until: string;
  hasLimit: boolean;
  maxUses: string;
  /** YYYY-MM-DD; empty: no end. */
  expires: string;
}

export type CodeProblems = Partial<Record<"interfaces" | "days" | "until" | "maxUses" | "expires", React.ReactNode>>;

const MOST_DAYS = 36_500;
const MOST_USES = 1_000_000;

const dayOr = (iso: string | null, none: string) => (iso === null ? none : clubDay(iso));

export const EMPTY: CodeForm = {
  interfaces: [],
  templateId: "",
  gives: "days",
  days: "30",
  until: "",
  hasLimit: true,
  maxUses: "1",
  expires: "",
};

export const formOf = (code: InviteCode): CodeForm => ({
  interfaces: code.interfaces,
  templateId: code.template?.id ?? "",
  gives: code.subscriptionDays !== null ? "days" : code.subscriptionEndDate !== null ? "date" : "trial",
  days: code.subscriptionDays === null ? EMPTY.days : String(code.subscriptionDays),
  until: dayOr(code.subscriptionEndDate, ""),
  hasLimit: code.maxUses !== NO_LIMIT,
  maxUses: code.maxUses === NO_LIMIT ? "" : String(code.maxUses),
  expires: dayOr(code.expiresAt, ""),
});

const isWhole = (text: string, most: number) => /^\d+$/.test(text) && Number(text) >= 1 && Number(text) <= most;

/** What is wrong with a form. The panel checks whether a day is past: it knows the club's day. */
export function problemsOf(form: CodeForm, words: StaffInvitesWords["form"]): CodeProblems {
  const problems: CodeProblems = {};
  if (form.interfaces.length === 0) problems.interfaces = words.interfacesMissing;
  if (form.gives === "days" && !isWhole(form.days, MOST_DAYS)) problems.days = words.daysWrong;
  if (form.gives === "date" && form.until === "") problems.until = words.dateMissing;
  if (form.hasLimit && !isWhole(form.maxUses, MOST_USES)) problems.maxUses = words.usesWrong;
  return problems;
}

const usesOf = ({ hasLimit, maxUses }: CodeForm) => (hasLimit ? Number(maxUses) : NO_LIMIT);

export const newCodeOf = (form: CodeForm): NewCode => ({
  maxUses: usesOf(form),
  interfaces: [...form.interfaces],
  ...(form.templateId === "" ? {} : { templateId: form.templateId }),
  ...(form.expires === "" ? {} : { expiresAt: form.expires }),
  ...(form.gives === "days" ? { subscriptionDays: Number(form.days) } : {}),
  ...(form.gives === "date" ? { subscriptionEndDate: form.until } : {}),
});

/** Only the differences, with what was seen of them: the panel refuses if that has changed. */
export function changeOf(code: InviteCode, form: CodeForm): CodeChange {
  const seen = formOf(code);
  const change: CodeChange = {};
  const expected: NonNullable<CodeChange["expected"]> = {};
  if (usesOf(form) !== code.maxUses) {
    change.maxUses = usesOf(form);
    expected.maxUses = code.maxUses;
  }
  if ([...form.interfaces].sort().join() !== [...code.interfaces].sort().join()) {
    change.interfaces = [...form.interfaces];
    expected.interfaces = code.interfaces;
  }
  if (form.templateId !== seen.templateId) {
    change.templateId = form.templateId === "" ? null : form.templateId;
    expected.templateId = code.template?.id ?? null;
  }
  if (form.expires !== seen.expires) {
    change.expiresAt = form.expires === "" ? null : form.expires;
    expected.expiresAt = code.expiresAt;
  }
  const givesSame =
    form.gives === seen.gives &&
    (form.gives !== "days" || Number(form.days) === code.subscriptionDays) &&
    (form.gives !== "date" || form.until === seen.until);
  if (!givesSame) {
    if (form.gives === "days") change.subscriptionDays = Number(form.days);
    else if (form.gives === "date") change.subscriptionEndDate = form.until;
    else Object.assign(change, { subscriptionDays: null, subscriptionEndDate: null });
    expected.subscriptionDays = code.subscriptionDays;
    expected.subscriptionEndDate = code.subscriptionEndDate;
  }
  return Object.keys(change).length === 0 ? {} : { ...change, expected };
}
