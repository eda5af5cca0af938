import { gateScreen as ru } from "../../../lib/i18n/ru/gate-screen.ts";
import { makeWords } from "../../../lib/i18n/words.ts";

export const useGateWords = makeWords(ru, () =>
  import("../../../lib/i18n/en/gate-screen.ts").then(({ gateScreen }) => gateScreen),
);
