import { keepForTab, keptForTab } from "../../../lib/browser-storage.ts";

/** Where public/before-paint.js stores the code of an invitation link, for this tab only. */
const BROUGHT = "krug.invite";

/** The code is in the fragment, which browsers never send: it is in no server's log. */
export const inviteLink = (code: string) => `${location.origin}/register#code=${code}`;

/** The code that an invitation link brought into this tab; null without one. */
export const broughtCode = () => keptForTab(BROUGHT);

export const forgetBroughtCode = () => keepForTab(BROUGHT, null);
