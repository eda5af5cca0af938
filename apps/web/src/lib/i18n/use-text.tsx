import { createContext, useCallback, useContext, useEffect, useMemo, useRef, useState } from "react";
import { KEPT } from "../browser-storage.ts";
import { wait } from "../wait.ts";
import { type Language, loadText, rememberLanguage, type Spoken } from "./language.ts";
import type { Text } from "./ru.ts";

const TRY_AGAIN_MS = 3_000;

interface Choice {
  speak: (language: Language) => Promise<void>;
  /** The chosen language has not loaded yet. Loading is retried until it has. */
  isAwaiting: boolean;
}

type Speech = Spoken & Choice;

const SpeechContext = createContext<Speech | null>(null);

/** `first` is the initial language, loaded before the first paint. */
export function SpeechProvider({ first, children }: { first: Spoken; children: React.ReactNode }) {
  const [spoken, setSpoken] = useState(first);
  const [isAwaiting, setIsAwaiting] = useState(false);
  const wanted = useRef<Language>(first.language);
  const speak = useCallback(async (language: Language) => {
    wanted.current = language;
    let next: Spoken | null = null;
    while (next === null) {
      next = await loadText(language).catch(() => null);
      if (wanted.current !== language) return;
      setIsAwaiting(next === null);
      if (next === null) await wait(TRY_AGAIN_MS);
    }
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
  const speech = useMemo(() => ({ ...spoken, speak, isAwaiting }), [spoken, speak, isAwaiting]);
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
