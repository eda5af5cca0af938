import { entrance } from "./ru/entrance.ts";
import { member } from "./ru/member.ts";
import { tieAll } from "./tie.ts";

export const ru = tieAll({ ...entrance, ...member });

export type Text = typeof ru;
