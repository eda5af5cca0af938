import { useCallback } from "react";
import { useSpeech } from "../lib/i18n/use-text.tsx";
import { isInApp } from "../lib/in-app-browser.ts";
import { sharesFiles } from "../lib/save-file.ts";
import { useToast } from "./toasts.tsx";

/**
 * Asks, before a file is made or counts as given, whether this browser can keep it, and says so where it cannot. `shares`: it may also go to
 * an app.
 */
export function useMaySave() {
  const { language } = useSpeech();
  const toast = useToast();
  return useCallback(
    async (shares = false): Promise<boolean> => {
      if (!isInApp() || (shares && sharesFiles())) return true;
      const { NO_DOWNLOADS } = await import("../lib/i18n/in-app-browser.ts");
      void toast("bad", NO_DOWNLOADS[language]);
      return false;
    },
    [language, toast],
  );
}
