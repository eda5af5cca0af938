import { age } from "./ru/age.ts";
import { entrance } from "./ru/entrance.ts";
import { gate } from "./ru/gate.ts";
import type { member } from "./ru/member.ts";
import type { newcomer } from "./ru/newcomer.ts";
import { typesetAll } from "./typography.ts";

/** Texts of every page. */
export const ru = typesetAll({ age, ...entrance, ...gate });

export type Text = typeof ru;

/** With the texts of a member's screens (member.ts). */
export type MemberText = Text & typeof member;
/** With the texts of a newcomer's screens (newcomer.ts). */
export type NewcomerText = Text & typeof newcomer;
