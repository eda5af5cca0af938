import { createContext, useCallback, useContext, useEffect, useMemo, useState } from "react";
import { KEPT } from "../kept.ts";
import { type Language, loadText, rememberLanguage, type Spoken } from "./language.ts";
import type { Text } from "./ru.ts";

type Speech = Spoken & { speak: (language: Language) => Promise<void> };

const SpeechContext = createContext<Speech | null>(null);

/** `first` is what is spoken at the start, loaded before the first paint. */
export function SpeechProvider({ first, children }: { first: Spoken; children: React.ReactNode }) {
  const [spoken, setSpoken] = useState(first);
  const speak = useCallback(async (language: Language) => {
    const next = await loadText(language);
    rememberLanguage(language);
    setSpoken(next);
  }, []);
  useEffect(() => {
    const follow = ({ key, newValue }: StorageEvent) => {
      if (key === KEPT.language && (newValue === "ru" || newValue === "en")) void speak(newValue);
    };
    addEventListener("storage", follow); // another tab has changed it
    return () => removeEventListener("storage", follow);
  }, [speak]);
  const speech = useMemo(() => ({ ...spoken, speak }), [spoken, speak]);
  return <SpeechContext value={speech}>{children}</SpeechContext>;
}

export function useSpeech(): Speech {
  const speech = useContext(SpeechContext);
  if (!speech) throw new Error("SpeechProvider is missing above this component");
  return speech;
}

export function useText(): Text {
  return useSpeech().text;
}
