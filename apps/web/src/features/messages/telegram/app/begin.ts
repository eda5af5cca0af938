import { ApiError, api } from "../../../../lib/api.ts";
import { keepVersion, listen, takeInitData } from "../../../../lib/telegram-bridge.ts";
import { fitIn } from "./around.ts";
import { keepOffer } from "./offer.ts";

/** Begins the page in Telegram, and signs its person in. Answers why the club cannot be shown; null if it can. */
export async function begin(isSignedIn: () => Promise<boolean>): Promise<ApiError | "noCookies" | null> {
  listen();
  keepVersion();
  fitIn();
  const initData = takeInitData();
  // A reload: the cookie is still there.
  if (!initData) return null;
  try {
    const { signedIn, toLink } = await api("POST /auth/telegram/app", { body: { initData } });
    keepOffer(toLink);
    return !signedIn || (await isSignedIn()) ? null : "noCookies";
  } catch (error) {
    // Whatever else is wrong, such as silence or maintenance, the club itself shows.
    return error instanceof ApiError && error.status < 500 ? error : null;
  }
}
