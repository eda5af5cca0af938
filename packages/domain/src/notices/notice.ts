import type { NoticeGroup } from "./groups.ts";

/** What a param of a notice can be; an array: one of these values. The contract has a schema for each (`inbox.ts`). */
interface ParamKinds {
  /** The name of something of the reader's, of a server, or a month. */
  text: string;
  texts: string[];
  /** Text that somebody wrote, to the reader or about something they made. */
  written: string;
  /**
   * The name of another member. Such a notice is stored with the member's id: it is hidden from readers for whom that member does
   * not exist, and deleted with the member.
   */
  person: string;
  id: string;
  "id or null": string | null;
  /** Older notices lack it. */
  "id if any": string | undefined;
  /** ISO, with the club's offset. */
  moment: string;
  "moment or null": string | null;
  /** YYYY-MM-DD. */
  day: string;
  count: number;
  positive: number;
  /** Older notices lack it. */
  "positive if any": number | undefined;
  bytes: number;
  flag: boolean;
  /** Older notices lack it. */
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
  [Name in keyof Given]: Given[Name] extends "flag if any" | "id if any" | "positive if any" ? Name : never;
}[keyof Given];
export type ValuesOf<Given extends Params> = {
  -readonly [Name in Exclude<keyof Given, IfAny<Given>>]: ValueOf<Given[Name]>;
} & { -readonly [Name in IfAny<Given>]?: ValueOf<Given[Name]> };

/** How the reader's language writes what a notice names. */
export interface NoticeSpeech {
  /** The day of a moment with the club's offset: '3 октября'. */
  day(iso: string): string;
  /** The day and the time on the club's clock: '3 октября, 14:20'. */
  moment(iso: string): string;
  size(bytes: number): string;
  /** An exact decimal of a currency: '1 500 ₽'. */
  money(amount: string, currency: string): string;
}

export type NoticeTone = "done" | "idle" | "wait" | "warn" | "bad";
/** The title, and the text below it. */
export type Words = readonly [title: string, more: string];
type Say<Given extends Params> = (params: ValuesOf<Given>, speech: NoticeSpeech) => Words;

/** Everything about a kind of notice, wherever it is read or sent. */
export interface Notice<Given extends Params> {
  readonly params: Given;
  /** Null: always sent. */
  readonly group: NoticeGroup | null;
  /** During the club's quiet hours. Alarms and answers to somebody's action cannot. */
  readonly canWait: boolean;
  /** Who may read it: any member who gets it, only staff, or only admins. */
  readonly audience: "member" | "staff" | "admins";
  /** The ring next to it. */
  readonly tone: NoticeTone | ((params: ValuesOf<Given>) => NoticeTone);
  /** The page with more; the dashboard if omitted. */
  readonly page?: string;
  /** What it opens on the dashboard. */
  readonly door?: "support" | "invite" | "payment";
  readonly ru: Say<Given>;
  readonly en: Say<Given>;
  /** For a locked screen: without names, messages and the club's money. */
  readonly locked?: { readonly ru: Words; readonly en: Words };
}

/** @param params  its content, by name */
export const notice = <const Given extends Params>(
  params: Given,
  rest: Omit<Notice<Given>, "params">,
): Notice<Given> => ({ params, ...rest });
