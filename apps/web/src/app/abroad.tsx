import { ActionIcon, Button } from "@mantine/core";
import { IconX } from "@tabler/icons-react";
import { useState } from "react";
import { KEPT, kept } from "../lib/browser-storage.ts";
import { rememberLanguage } from "../lib/i18n/language.ts";
import { useSpeech } from "../lib/i18n/use-text.tsx";
import { keepUp } from "../lib/translated-pages.ts";
import classes from "./abroad.module.css";

keepUp();

/** Languages whose readers can use a Russian page. */
const READS_RUSSIAN = /^(?:ru|be|uk|kk)\b/;

/**
 * For browsers that translate the page: keeps the page working under translation, and first offers the club's own English to a
 * browser without Russian. A visitor who has already chosen is not asked.
 */
export function Abroad() {
  const { language, speak } = useSpeech();
  const [isOpen, setIsOpen] = useState(
    () => kept(KEPT.language) === null && !navigator.languages.some((one) => READS_RUSSIAN.test(one)),
  );
  if (!isOpen || language === "en") return null;
  return (
    <section className={classes.offer} lang="en" translate="no" aria-label="Language">
      <span>This page is also in English.</span>
      <Button size="compact-sm" variant="subtle" onClick={() => void speak("en")}>
        Read in English
      </Button>
      <ActionIcon
        aria-label="Close"
        onClick={() => {
          rememberLanguage("ru");
          setIsOpen(false);
        }}
      >
        <IconX size={20} stroke={1.6} />
      </ActionIcon>
    </section>
  );
}
