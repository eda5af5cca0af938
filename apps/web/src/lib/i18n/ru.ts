import { age } from "./ru/age.ts";
import { entrance } from "./ru/entrance.ts";
import { gate } from "./ru/gate.ts";
import type { member } from "./ru/member.ts";
import type { newcomer } from "./ru/newcomer.ts";
import { typesetAll } from "./typography.ts";

/** Texts of every page. */
export const ru = typesetAll({ age, ...entrance, ...gate });

export type Text = typeof ru;

/** And those that load with a member's screens (member.ts). */
export type MemberText = Text & typeof member;
/** And those that load with a newcomer's (newcomer.ts). */
export type NewcomerText = Text & typeof newcomer;
