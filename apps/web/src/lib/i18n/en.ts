import { entrance } from "./en/entrance.ts";
import { gate } from "./en/gate.ts";
import { member } from "./en/member.ts";
import type { Text } from "./ru.ts";

export const en: Text = { ...entrance, ...gate, ...member };
