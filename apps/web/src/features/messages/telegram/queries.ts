import type { Api } from "@krug/contract/api";
import { MINUTE_MS } from "@krug/domain/moment";
import { firstAnswer, firstAnswersAt } from "../../../lib/first-answers.ts";
import { polledQuery, query } from "../../../lib/query.ts";

export type TelegramStatus = Api["GET /auth/telegram/status"]["answer"];

/** Whether the member's Telegram is linked, and whether the club requires it. */
export const telegramQuery = polledQuery(["telegram"], "GET /auth/telegram/status", {
  initialData: () => firstAnswer("GET /auth/telegram/status"),
  initialDataUpdatedAt: firstAnswersAt,
  staleTime: MINUTE_MS,
});

/** The code with which this member links. Asking again returns the same one while it is valid. */
export const linkCodeQuery = (memberId: string) =>
  query(["telegram-code", memberId], "POST /auth/telegram/generate-code", {
    body: { userId: memberId },
    gcTime: 0,
    staleTime: 0,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  });

export const unlinkCodeQuery = (memberId: string) =>
  query(["telegram-unlink-code", memberId], "GET /auth/telegram/unlink-code/{id}", {
    params: { id: memberId },
    gcTime: 0,
    staleTime: 0,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  });
