import { moneyText } from "@krug/domain/money-text";
import { noticeText, toneOf } from "@krug/domain/notices";
import { clubDay, sizeText, writtenDay } from "../../../lib/format.ts";
import { useSpeech } from "../../../lib/i18n/use-text.tsx";
import type { RingState } from "../../../ui/ring.tsx";
import type { Notice } from "./queries.ts";

interface RenderedNotice {
  ring: RingState;
  title: string;
  more: string;
}

/** A notice in the reader's language, with the club's days and clock, and the ring that goes with it. */
export function useRenderNotice(): (notice: Notice, nowMs: number) => RenderedNotice {
  const { language } = useSpeech();
  return (notice, nowMs) => {
    const day = (iso: string) => writtenDay(clubDay(iso), nowMs, language);
    const moment = (iso: string) => `${day(iso)}, ${clubClock(iso)}`;
    return {
      ring: toneOf(notice),
      ...noticeText(notice, language, {
        day,
        moment,
        size: (bytes) => sizeText(bytes, language),
        money: (amount, currency) => moneyText(amount, currency, language),
      }),
    };
  };
}

/** "14:20" of a moment that the panel wrote with the club's offset. */
const clubClock = (iso: string) => iso.slice("YYYY-MM-DDT".length, "YYYY-MM-DDTHH:MM".length);
