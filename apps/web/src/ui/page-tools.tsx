import { ActionIcon, Button, useComputedColorScheme, useMantineColorScheme } from "@mantine/core";
import { IconMoon, IconSun } from "@tabler/icons-react";
import { useEffect } from "react";
import { useSpeech } from "../lib/i18n/use-text.tsx";
import classes from "./page-tools.module.css";

const PAGE_COLOUR = { dark: "#0C1915", light: "#EBF0EA" };

export type Theme = "dark" | "light" | "auto";

/** `auto` follows the device. On a phone the browser's frame takes the page's colour. */
export function useTheme() {
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const shown = useComputedColorScheme("dark");
  useEffect(() => {
    document.querySelector('meta[name="theme-color"]')?.setAttribute("content", PAGE_COLOUR[shown]);
  }, [shown]);
  return { theme: colorScheme, dark: shown === "dark", turn: setColorScheme as (next: Theme) => void };
}

/** Says that the chosen language cannot load now. */
export function LanguageComing() {
  const { isAwaiting, text } = useSpeech();
  return (
    isAwaiting && (
      <p role="status" className={classes.silent}>
        {text.common.languageAway}
      </p>
    )
  );
}

/** Language and theme, for pages that have no settings of their own. */
export function PageTools() {
  const { text, language, speak } = useSpeech();
  const { dark, turn } = useTheme();
  const other = language === "ru" ? "en" : "ru";
  return (
    <div className={classes.tools}>
      <LanguageComing />
      <Button variant="subtle" lang={other} aria-label={text.common.otherLanguage} onClick={() => void speak(other)}>
        {text.common.otherLanguageShort}
      </Button>
      <ActionIcon
        aria-label={dark ? text.common.toLight : text.common.toDark}
        title={dark ? text.common.toLight : text.common.toDark}
        onClick={() => turn(dark ? "light" : "dark")}
      >
        {/* Both, because the page is drawn once for both themes before any script runs. */}
        <IconSun size={20} stroke={1.6} className="mantine-light-hidden" />
        <IconMoon size={20} stroke={1.6} className="mantine-dark-hidden" />
      </ActionIcon>
    </div>
  );
}
