import { makeCode } from "../lib/code.ts";
import { useSpeech } from "../lib/i18n/use-text.tsx";
import { useToast } from "./toasts.tsx";

const code = makeCode(() => import("../lib/in-app-browser.ts"));

/**
 * Checks, before a file is made or counts as given, whether this browser can save it, and says so if not. `shares`: it may also go
 * to an app.
 */
export function useMaySave() {
  const { language } = useSpeech();
  const toast = useToast();
  return async (shares?: boolean): Promise<boolean> => {
    // Without a connection the code may be missing, and then the file's own request says so.
    const why = (await code.load())?.whyNotSave(language, shares);
    if (why) void toast("bad", why);
    return !why;
  };
}
