import type { Api } from "@krug/contract/api";
import { MINUTE_MS } from "@krug/domain/moment";
import { queryOptions } from "@tanstack/react-query";
import { api } from "../../../lib/api.ts";
import { firstAnswer, firstAnswersAt } from "../../../lib/first-answers.ts";
import { polled } from "../../../lib/polled.ts";

export type TelegramStatus = Api["GET /auth/telegram/status"]["answer"];

/** Whether the member's Telegram is linked, and whether the club requires it. */
export const telegramQuery = queryOptions({
  queryKey: ["telegram"],
  queryFn: (asked) => polled(asked, "GET /auth/telegram/status"),
  initialData: () => firstAnswer("GET /auth/telegram/status"),
  initialDataUpdatedAt: firstAnswersAt,
  staleTime: MINUTE_MS,
});

/** The code with which this member links. Asking again returns the same one while it is valid. */
export const linkCodeQuery = (memberId: string) =>
  queryOptions({
    queryKey: ["telegram-code", memberId],
    queryFn: ({ signal }) => api("POST /auth/telegram/generate-code", { body: { userId: memberId }, signal }),
    gcTime: 0,
    staleTime: 0,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  });

export const unlinkCodeQuery = (memberId: string) =>
  queryOptions({
    queryKey: ["telegram-unlink-code", memberId],
    queryFn: ({ signal }) => api("GET /auth/telegram/unlink-code/{id}", { params: { id: memberId }, signal }),
    gcTime: 0,
    staleTime: 0,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  });
