import { charter } from "./charter.ts";
import { friends } from "./friends.ts";
import { payments } from "./payments.ts";
import { telegram } from "./telegram.ts";

export const circle = { charter, friends, payments, telegram };
