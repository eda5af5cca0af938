import type { NoticeGroup } from "./groups.ts";

/** What a param of a notice can be; an array: one of these. The contract has a schema for each (`inbox.ts`). */
interface ParamKinds {
  /** The name of the reader's own thing, of a machine, or a month. */
  text: string;
  texts: string[];
  /** What somebody wrote: to the reader, or in what goes with its author. */
  written: string;
  /**
   * The name of another member. Such a notice is told with whom it is about: it is hidden from readers for whom that member does not
   * exist, and deleted with the member.
   */
  person: string;
  id: string;
  "id or null": string | null;
  /** ISO, with the club's offset. */
  moment: string;
  "moment or null": string | null;
  /** YYYY-MM-DD. */
  day: string;
  count: number;
  positive: number;
  bytes: number;
  flag: boolean;
  /** Notices from before it was told lack it. */
  "flag if any": boolean | undefined;
  /** Exact decimals. */
  sums: { amount: string; currency: string }[];
}
export type ParamKind = keyof ParamKinds | readonly (string | number)[];
export type Params = Readonly<Record<string, ParamKind>>;

type ValueOf<Kind extends ParamKind> = Kind extends keyof ParamKinds
  ? ParamKinds[Kind]
  : Kind extends readonly (infer One)[]
    ? One
    : never;
type IfAny<Given extends Params> = {
  [Name in keyof Given]: Given[Name] extends "flag if any" ? Name : never;
}[keyof Given];
export type ValuesOf<Given extends Params> = {
  -readonly [Name in Exclude<keyof Given, IfAny<Given>>]: ValueOf<Given[Name]>;
} & { -readonly [Name in IfAny<Given>]?: ValueOf<Given[Name]> };

/** How a reader's language writes what a notice names. */
export interface NoticeSpeech {
  /** The day of a moment that has the club's offset: '3 октября'. */
  day(iso: string): string;
  /** The day and the time on the club's clock: '3 октября, 14:20'. */
  moment(iso: string): string;
  size(bytes: number): string;
  /** An exact decimal of a currency: '1 500 ₽'. */
  money(amount: string, currency: string): string;
}

export type NoticeTone = "done" | "idle" | "wait" | "warn" | "bad";
/** Its title, and what stands below. */
export type Words = readonly [title: string, more: string];
type Say<Given extends Params> = (params: ValuesOf<Given>, speech: NoticeSpeech) => Words;

/** All that holds for the notices of a kind, wherever they are read or sent. */
export interface Notice<Given extends Params> {
  readonly params: Given;
  /** Null: always sent. */
  readonly group: NoticeGroup | null;
  /** In the club's quiet hours. Alarms and answers to what somebody did cannot. */
  readonly canWait: boolean;
  /** Who may read it: any member who gets it, only staff, or only admins. */
  readonly audience: "member" | "staff" | "admins";
  /** The ring beside it. */
  readonly tone: NoticeTone | ((params: ValuesOf<Given>) => NoticeTone);
  /** Where there is more; the dashboard if not given. */
  readonly page?: string;
  readonly ru: Say<Given>;
  readonly en: Say<Given>;
  /** On a locked screen instead: without what people wrote, who did, and the club's money. */
  readonly locked?: { readonly ru: Words; readonly en: Words };
}

/** @param params  what it tells, by name */
export const notice = <const Given extends Params>(
  params: Given,
  rest: Omit<Notice<Given>, "params">,
): Notice<Given> => ({ params, ...rest });
