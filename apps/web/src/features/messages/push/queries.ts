import type { Api } from "@krug/contract/api";
import { queryOptions } from "@tanstack/react-query";
import { api } from "../../../lib/api.ts";
import type { Language } from "../../../lib/i18n/language.ts";
import { keepHere, type Standing } from "./this-browser.ts";

type Browsers = Api["GET /push"]["answer"];
export type Browser = Browsers["browsers"][number];
export interface Push extends Browsers {
  /** Null: the club sends nothing to browsers. */
  here: Standing | null;
}

export const PUSH = ["push"];

/** Where notices are shown, and the state of this browser. A subscription here follows the page's language. */
export const pushQuery = (language: Language) =>
  queryOptions({
    queryKey: [...PUSH, language],
    queryFn: async ({ signal }): Promise<Push> => {
      const known = await api("GET /push", { signal });
      if (known.publicKey === null) return { ...known, here: null };
      const here = await keepHere(language, signal);
      const isNews = here === "on" && !known.browsers.some(({ current }) => current);
      return { ...(isNews ? await api("GET /push", { signal }) : known), here };
    },
    staleTime: 0,
  });
