import { useSpeech } from "../lib/i18n/use-text.tsx";
import { useToast } from "./toasts.tsx";

/**
 * Checks, before a file is made or counts as given, whether this browser can save it, and says so if not. `shares`: it may also go
 * to an app.
 */
export function useMaySave() {
  const { language } = useSpeech();
  const toast = useToast();
  return async (shares?: boolean): Promise<boolean> => {
    const { whyNotSave } = await import("../lib/in-app-browser.ts");
    const why = whyNotSave(language, shares);
    if (why) void toast("bad", why);
    return !why;
  };
}
