import { MINUTE_MS } from "./moment.ts";

/** The path of Telegram's Mini App (ADR 170); calls from it begin with `${MINI_APP}/api`. */
export const MINI_APP = "/tg";

/** How old what Telegram signed may be when it signs somebody in. */
export const OPENING_LIFE_MS = 5 * MINUTE_MS;
/** How far Telegram's clock may be ahead of the club's. */
export const OPENING_AHEAD_MS = MINUTE_MS;
/** It is remembered for longer than it counts, so that it counts once. */
export const OPENING_KEPT_MS = 2 * OPENING_LIFE_MS;
/** How long somebody who opened the Mini App has for signing in and linking. */
export const LINK_TICKET_MS = 30 * MINUTE_MS;
/** How long a link to a file has for Telegram's question to the person, and for the download itself. */
export const FILE_LINK_MS = 2 * MINUTE_MS;
