import { useEffect, useRef } from "react";
import { useSpeech } from "./i18n/use-text.tsx";

/** Repeats a form's field errors in the new language when the page switches. */
export function useErrorsInLanguage(form: { errors: object; validate: () => unknown }) {
  const { language } = useSpeech();
  const said = useRef(language);
  useEffect(() => {
    if (said.current === language) return;
    said.current = language;
    if (Object.keys(form.errors).length > 0) form.validate();
  }, [language, form]);
}
