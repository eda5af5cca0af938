import { ofAccount } from "./notices/account.ts";
import { ofClub } from "./notices/club.ts";
import { ofDevices } from "./notices/devices.ts";
import type { Notice, NoticeSpeech, NoticeTone, Params, ValuesOf } from "./notices/notice.ts";
import { ofServers } from "./notices/servers.ts";
import { ofStaffWork } from "./notices/staff-work.ts";
import { ofSubscription } from "./notices/subscription.ts";
import { isStaff, type Role } from "./roles.ts";

/** Every kind of notice, each with everything about it (`notices/`). */
export const NOTICES = { ...ofSubscription, ...ofDevices, ...ofAccount, ...ofClub, ...ofStaffWork, ...ofServers };

type Notices = typeof NOTICES;
export type NoticeKind = keyof Notices;
type ParamsOf<Kind extends NoticeKind> = Notices[Kind]["params"];

/** A notice's content, by kind. */
export type Told = { [Kind in NoticeKind]: { kind: Kind; params: ValuesOf<ParamsOf<Kind>> } }[NoticeKind];

export type DayFigures = Extract<Told, { kind: "daily_digest" }>["params"];

/** Kinds that name another member. */
export type NamingKind = {
  [Kind in NoticeKind]: "person" extends ParamsOf<Kind>[keyof ParamsOf<Kind>] ? Kind : never;
}[NoticeKind];

/** The same entry, as one type for all kinds. */
export const traitsOf = (kind: NoticeKind): Notice<Params> => NOTICES[kind] as unknown as Notice<Params>;

export const NOTICE_KINDS = Object.keys(NOTICES) as NoticeKind[];
/** The params of a kind that are of one of these types. */
export const paramsThatAre = (kind: NoticeKind, ...kinds: readonly unknown[]): string[] =>
  Object.entries(traitsOf(kind).params).flatMap(([name, is]) => (kinds.includes(is) ? [name] : []));
export const NAMING_KINDS = NOTICE_KINDS.filter((kind) => paramsThatAre(kind, "person").length > 0);

/** Whether a kind is for readers of this role. A former staff member no longer sees staff notices. */
export function isFor(kind: NoticeKind, role: Role): boolean {
  const { audience } = traitsOf(kind);
  return audience === "member" || (audience === "admins" ? role === "admin" : isStaff(role));
}

/** A notice in the reader's language: the panel stores the event, not its wording. */
export function noticeText({ kind, params }: Told, language: "ru" | "en", speech: NoticeSpeech) {
  const [title, more] = traitsOf(kind)[language](params, speech);
  return { title, more };
}

export function toneOf({ kind, params }: Told): NoticeTone {
  const { tone } = traitsOf(kind);
  return typeof tone === "string" ? tone : tone(params);
}
