import { useComputedColorScheme } from "@mantine/core";
import EmojiPicker, { EmojiStyle, SuggestionMode, Theme } from "emoji-picker-react";
import { useSupportWords } from "../../../lib/i18n/support.ts";
import { useSpeech } from "../../../lib/i18n/use-text.tsx";
import classes from "./composer.module.css";

const HEIGHT = 272;

const loadRussian = async () => (await import("emoji-picker-react/data/emojis-ru")).default;

/**
 * Emoji as the device draws them, so that nothing is fetched. The picker itself stores the 14 used last in local
 * storage, and shows the skin tones after a press of 500 ms (specification, member's side 9).
 */
export function Emoji({ onPick }: { onPick: (emoji: string) => void }) {
  const words = useSupportWords();
  const { language } = useSpeech();
  const colorScheme = useComputedColorScheme("dark");
  const [neutral = "", light = "", mediumLight = "", medium = "", mediumDark = "", dark = ""] = words.skinTones;
  return (
    <EmojiPicker
      className={classes.emoji ?? ""}
      aria-label={words.emoji}
      colorScheme={colorScheme === "light" ? Theme.LIGHT : Theme.DARK}
      emojiStyle={EmojiStyle.NATIVE}
      suggestedEmojisMode={SuggestionMode.RECENT}
      previewConfig={{ showPreview: false }}
      width="100%"
      height={HEIGHT}
      autoFocusSearch={false}
      onEmojiClick={({ emoji }) => onPick(emoji)}
      {...(language === "ru" ? { emojiData: loadRussian } : {})}
      labels={{
        searchPlaceholder: words.emojiSearch,
        searchLabel: words.emojiSearch,
        searchClear: words.emojiClear,
        searchResultsNone: words.emojiNone,
        searchResultsOne: words.emojiFoundOne,
        searchResultsMany: words.emojiFound,
        categoryNavigation: words.emojiGroups,
        loading: words.emojiLoading,
        loadingError: words.emojiFailed,
        retryLoading: words.retry,
        skinToneNeutral: neutral,
        skinToneLight: light,
        skinToneMediumLight: mediumLight,
        skinToneMedium: medium,
        skinToneMediumDark: mediumDark,
        skinToneDark: dark,
      }}
    />
  );
}
