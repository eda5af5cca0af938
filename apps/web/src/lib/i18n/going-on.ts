import { bothLanguages } from "./typography.ts";
import { useSpeech } from "./use-text.tsx";

/** What a form offers that has a draft. Loads with it. */
const goingOn = bothLanguages({ goOn: "Продолжить начатое" }, { goOn: "Continue where you left off" });

export const useGoingOn = () => goingOn[useSpeech().language];
