import { bothLanguages } from "./typography.ts";
import { useSpeech } from "./use-text.tsx";

/** What a form asks before it is closed. Loads with forms, not with the first page. */
const leaving = bothLanguages(
  {
    title: "Закрыть без сохранения?",
    text: "То, что вы ввели, пропадёт.",
    leave: "Не сохранять",
  },
  {
    title: "Close without saving?",
    text: "What you entered will be lost.",
    leave: "Do not save",
  },
);

export const useLeaving = () => leaving[useSpeech().language];
