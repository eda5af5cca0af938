import { makeCode } from "../lib/code.ts";
import { useSpeech } from "../lib/i18n/use-text.tsx";
import { useToast } from "./toasts.tsx";

const code = makeCode(() => import("../lib/in-app-browser.ts"));

/**
 * Checks, before a file is made or counts as given, whether this browser can save it, and says so if not; in Telegram the page opens in the browser. `shares`: it may also go
 * to an app.
 */
export function useMaySave() {
  const { language } = useSpeech();
  const toast = useToast();
  return async (shares?: boolean): Promise<boolean> => {
    // Without a connection the code may be missing, and then the file's own request says so.
    const inApp = await code.load();
    const why = inApp?.whyNotSave(language, shares);
    if (!why) return true;
    inApp?.openInBrowser();
    void toast("bad", why);
    return false;
  };
}
