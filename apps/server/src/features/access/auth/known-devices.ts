import { randomBytes } from "node:crypto";
import { DAY_MS } from "@krug/domain/moment";
import { isSameText } from "../../../platform/same-text.ts";
import type { Sealing } from "../../../platform/sealing.ts";
import type { MemberRow } from "../../members/members/index.ts";

/** The longest that browsers store a cookie. */
export const DEVICE_KEPT_MS = 400 * DAY_MS;
/** A household may share a browser; the account that signed in longest ago makes room. */
const MOST_ACCOUNTS = 5;
/** The browser's number, and a mark for each account that signed in from it, the latest first. */
const COOKIE = new RegExp(`^[\\w-]{22}(?:\\.[\\w-]{43}){1,${MOST_ACCOUNTS}}$`);

type Owner = Pick<MemberRow, "id" | "password_hash">;
export type KnownDevices = ReturnType<typeof makeKnownDevices>;

/**
 * Browsers from which somebody has signed in before. A cookie holds a keyed hash of the browser's number, the account and its
 * password. Nothing is stored here, the cookie is worthless for another account, and a new password ends it. It grants no access:
 * it only gives the browser its own counter of wrong passwords.
 */
export function makeKnownDevices({ sealing }: { sealing: Sealing }) {
  const markOf = (number: string, { id, password_hash }: Owner) =>
    sealing.hash("known-device", `${number}\0${id}\0${password_hash}`);
  const read = (cookie: string | null) => {
    const [number = "", ...marks] = cookie !== null && COOKIE.test(cookie) ? cookie.split(".") : [];
    return { number, marks };
  };
  return {
    /** The browser's own counter of wrong passwords; null if nobody has signed in to the account from it. */
    counterOf(cookie: string | null, member: Owner): string | null {
      const { number, marks } = read(cookie);
      if (marks.length === 0) return null;
      const own = markOf(number, member);
      return marks.some((mark) => isSameText(mark, own)) ? sealing.hash("login-device", own) : null;
    },

    /** The cookie to set after this member has signed in. */
    remember(cookie: string | null, member: Owner): string {
      const { number, marks } = read(cookie);
      const known = number || randomBytes(16).toString("base64url");
      const own = markOf(known, member);
      return [known, own, ...marks.filter((mark) => mark !== own).slice(0, MOST_ACCOUNTS - 1)].join(".");
    },
  };
}
