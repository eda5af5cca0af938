import { age } from "./en/age.ts";
import { entrance } from "./en/entrance.ts";
import { gate } from "./en/gate.ts";
import { member } from "./en/member.ts";
import { newcomer } from "./en/newcomer.ts";
import type { MemberText, NewcomerText } from "./ru.ts";

export const en: MemberText & NewcomerText = { age, ...entrance, ...gate, ...member, ...newcomer };
