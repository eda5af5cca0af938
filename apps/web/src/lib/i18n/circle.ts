import { charter as charterEn } from "./en/charter.ts";
import { friends as friendsEn } from "./en/friends.ts";
import { payments as paymentsEn } from "./en/payments.ts";
import { telegram as telegramEn } from "./en/telegram.ts";
import { charter as charterRu } from "./ru/charter.ts";
import { friends as friendsRu } from "./ru/friends.ts";
import { payments as paymentsRu } from "./ru/payments.ts";
import { telegram as telegramRu } from "./ru/telegram.ts";
import { bothLanguages } from "./typography.ts";
import { useSpeech } from "./use-text.tsx";

/** Long texts for a dialog. Both languages load with it, not with the first page. */
export const circle = bothLanguages(
  { charter: charterRu, friends: friendsRu, payments: paymentsRu, telegram: telegramRu },
  { charter: charterEn, friends: friendsEn, payments: paymentsEn, telegram: telegramEn },
);

export const useCircle = () => circle[useSpeech().language];
