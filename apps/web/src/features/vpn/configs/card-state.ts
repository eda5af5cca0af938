import { deviceState } from "@krug/domain/device-state";
import { ageText, sinceText } from "../../../lib/format.ts";
import type { Language } from "../../../lib/i18n/language.ts";
import type { MemberText } from "../../../lib/i18n/ru.ts";
import { onThisPhone } from "../../../lib/on-this-phone.ts";
import type { RingState } from "../../../ui/ring.tsx";
import type { Me } from "../../access/auth/index.ts";
import type { Config, ConfigStats } from "./queries.ts";

/** A device's state as shown on its card: a ring, a word next to it, and a reason if the word needs one. */
export interface CardState {
  ring: RingState;
  word: string;
  reason: string | null;
  /** The same in the past tense, for a list that may be out of date. */
  past: string;
}

/** `isSilent`: the panel does not answer, so nobody knows who is online now. */
export function cardState(
  config: Config,
  stats: ConfigStats,
  right: Me["entitlement"],
  nowMs: number,
  { text, language }: { text: MemberText; language: Language },
  isSilent = false,
): CardState {
  const { card } = text;
  const since = (iso: string) => sinceText(Date.parse(iso), nowMs, language);
  const known = deviceState({ ...config, stats }, right, nowMs);
  const off = { ring: "warn", past: card.pastOff } as const;
  switch (known) {
    case "blocked":
      return { ...off, ring: "bad", word: card.blocked, reason: card.blockedMore };
    case "dormant":
    case "ended":
      return { ...off, word: card[known], reason: null };
    case "quota":
      return { ...off, word: card.quotaOff, reason: card.quotaMore };
    case "no_subscription":
      return { ...off, word: card.subscriptionOff, reason: card.subscriptionMore };
    case "interface_off":
      return { ...off, word: card.interfaceOff, reason: card.interfaceMore };
    case "pending": {
      const { pendingSince } = config;
      return {
        ring: "wait",
        word: card.pending,
        reason: pendingSince ? card.pendingSince(config.serverName, since(pendingSince)) : card.pendingNow,
        past: card.pastPending,
      };
    }
    case "server_away":
      return {
        ring: "idle",
        word: card.serverAway,
        reason: card.serverAwaySince(config.serverName, since(config.serverAwaySince ?? "")),
        past: card.pastOn,
      };
    case "never": {
      const byFile = config.deviceType === "phone" ? card.neverFile : card.neverComputer;
      const isToScan = config.deviceType === "phone" && config.keyOrigin === "panel" && !onThisPhone();
      const reason = isToScan ? card.neverPhone : byFile;
      return { ring: "never", word: card.never, reason, past: card.pastNever };
    }
    default: {
      const age = ageText(stats.lastHandshake, nowMs, text.age);
      const active = known === "online" && !isSilent;
      return {
        ring: active ? "on" : "idle",
        word: active ? card.on(age) : card.idle(age),
        reason: null,
        past: card.pastOn,
      };
    }
  }
}
