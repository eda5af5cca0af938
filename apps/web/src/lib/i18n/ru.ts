import { entrance } from "./ru/entrance.ts";
import { gate } from "./ru/gate.ts";
import { member } from "./ru/member.ts";
import { tieAll } from "./tie.ts";

export const ru = tieAll({ ...entrance, ...gate, ...member });

export type Text = typeof ru;
