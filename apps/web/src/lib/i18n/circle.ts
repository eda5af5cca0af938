import { charter as charterEn } from "./en/charter.ts";
import { friends as friendsEn } from "./en/friends.ts";
import { payments as paymentsEn } from "./en/payments.ts";
import { telegram as telegramEn } from "./en/telegram.ts";
import { charter as charterRu } from "./ru/charter.ts";
import { friends as friendsRu } from "./ru/friends.ts";
import { payments as paymentsRu } from "./ru/payments.ts";
import { telegram as telegramRu } from "./ru/telegram.ts";
import { tieAll } from "./tie.ts";
import { useSpeech } from "./use-text.tsx";

/** Long texts that only a dialog needs: both languages are loaded with it and not with the first page. */
export const circle = {
  ru: tieAll({ charter: charterRu, friends: friendsRu, payments: paymentsRu, telegram: telegramRu }),
  en: { charter: charterEn, friends: friendsEn, payments: paymentsEn, telegram: telegramEn } as {
    charter: typeof charterRu;
    friends: typeof friendsRu;
    payments: typeof paymentsRu;
    telegram: typeof telegramRu;
  },
};

export const useCircle = () => circle[useSpeech().language];
