import { Button, CloseButton } from "@mantine/core";
import { useState } from "react";
import { rememberLanguage } from "../lib/i18n/language.ts";
import { useSpeech } from "../lib/i18n/use-text.tsx";
import { KEPT, kept } from "../lib/kept.ts";
import classes from "./offer-language.module.css";

/** Languages whose readers are at home on a Russian page. */
const READS_RUSSIAN = /^(?:ru|be|uk|kk)\b/;

/** To a browser that knows no Russian, before it translates the page: English is the club's own. Whoever has chosen is not asked. */
export function OfferLanguage() {
  const { language, speak } = useSpeech();
  const [isOpen, setIsOpen] = useState(
    () => kept(KEPT.language) === null && !navigator.languages.some((one) => READS_RUSSIAN.test(one)),
  );
  if (!isOpen || language === "en") return null;
  return (
    <section className={classes.offer} lang="en" translate="no" aria-label="Language">
      <span>This page is also in English.</span>
      <Button size="sm" onClick={() => void speak("en")}>
        Read in English
      </Button>
      <CloseButton
        aria-label="Close"
        onClick={() => {
          rememberLanguage("ru");
          setIsOpen(false);
        }}
      />
    </section>
  );
}
