import { moneyText } from "@krug/domain/money-text";
import { noticeText } from "@krug/domain/notice-text";
import { clubDay, sizeText, writtenDay } from "../../lib/format.ts";
import { useSpeech } from "../../lib/i18n/use-text.tsx";
import type { RingState } from "../../ui/ring.tsx";
import type { Notice } from "./queries.ts";
import { useInboxWords } from "./words.ts";

interface Said {
  ring: RingState;
  title: string;
  more: string;
}

/** A notice in the reader's language, with the club's days and clock, and the ring that goes with it. */
export function useSaid(): (notice: Notice, nowMs: number) => Said {
  const words = useInboxWords();
  const { language } = useSpeech();
  return (notice, nowMs) => {
    const day = (iso: string) => writtenDay(clubDay(iso), nowMs, language);
    const moment = (iso: string) => `${day(iso)}, ${clubClock(iso)}`;
    return {
      ring: ringOf(notice),
      ...noticeText(notice, words, {
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

function ringOf(notice: Notice): RingState {
  switch (notice.kind) {
    case "quota_used_up":
      return notice.params.atEnd === "tell" ? "warn" : "bad";
    case "addresses_low":
      return notice.params.free === 0 ? "bad" : "warn";
    default:
      return RINGS[notice.kind];
  }
}

const RINGS: Record<Exclude<Notice["kind"], "quota_used_up" | "addresses_low">, RingState> = {
  subscription_ends: "warn",
  subscription_ended: "bad",
  referral_ends: "warn",
  referral_ended: "bad",
  friend_connected: "done",
  referral_earned: "done",
  quota_nearly: "warn",
  payment_recorded: "done",
  payment_taken_back: "bad",
  subscription_extended: "done",
  config_made: "done",
  device_connected: "done",
  config_moved: "warn",
  configs_moved: "warn",
  config_deleted: "bad",
  lost_device_reported: "bad",
  lost_device_cut: "bad",
  support_reply: "idle",
  maintenance_began: "wait",
  maintenance_ended: "done",
  joining_limited: "warn",
  codes_guessed: "warn",
  ticket_opened: "idle",
  member_joined: "idle",
  server_gone: "bad",
  server_back: "done",
  forwarding_refused: "bad",
  forwarding_back: "done",
  backup_late: "bad",
  webhook_off: "bad",
  unknown_peers: "warn",
  counters_refused: "bad",
  interface_gone: "bad",
  interface_back: "done",
  daily_digest: "idle",
  staff_message: "idle",
};
