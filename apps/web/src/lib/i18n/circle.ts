import { charter as charterEn } from "./en/charter.ts";
import { friends as friendsEn } from "./en/friends.ts";
import { charter as charterRu } from "./ru/charter.ts";
import { friends as friendsRu } from "./ru/friends.ts";
import { tieAll } from "./tie.ts";
import { useSpeech } from "./use-text.tsx";

/** Long texts that only a dialog needs: both languages are loaded with it and not with the first page. */
export const circle = {
  ru: tieAll({ charter: charterRu, friends: friendsRu }),
  en: { charter: charterEn, friends: friendsEn } as { charter: typeof charterRu; friends: typeof friendsRu },
};

export const useCircle = () => circle[useSpeech().language];
