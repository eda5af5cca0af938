import { clock, clubDay, longDay, sizeText, writtenDay } from "../../lib/format.ts";
import { useSpeech } from "../../lib/i18n/use-text.tsx";
import type { RingState } from "../../ui/ring.tsx";
import type { Notice } from "./queries.ts";
import { useInboxWords } from "./words.ts";

interface Said {
  ring: RingState;
  title: string;
  more: string;
}

/** A notice in the reader's language: the panel keeps what happened, not how it is said. */
export function useSaid(): (notice: Notice, nowMs: number) => Said {
  const { said: words, months } = useInboxWords();
  const { language } = useSpeech();
  return (notice, nowMs) => {
    const day = (iso: string) => longDay(new Date(iso), nowMs, language);
    const moment = (iso: string) => `${day(iso)}, ${clock(Date.parse(iso))}`;
    switch (notice.kind) {
      case "subscription_ends":
        return {
          ring: "warn",
          title: words.subscriptionEnds[notice.params.days],
          more: words.subscriptionEndsMore(moment(notice.params.endsAt)),
        };
      case "subscription_ended":
        return {
          ring: "bad",
          title: words.subscriptionEnded,
          more: words.subscriptionEndedMore(moment(notice.params.endedAt)),
        };
      case "quota_nearly":
      case "quota_used_up": {
        const { bytes, atEnd, resetsAt } = notice.params;
        const isNearly = notice.kind === "quota_nearly";
        const more = (isNearly ? words.quotaNearlyMore : words.quotaUsedUpMore)[atEnd];
        return {
          ring: isNearly || atEnd === "tell" ? "warn" : "bad",
          title: isNearly ? words.quotaNearly : words.quotaUsedUp,
          more: more(sizeText(bytes, language), writtenDay(clubDay(resetsAt), nowMs, language)),
        };
      }
      case "payment_recorded": {
        const { period, until } = notice.params;
        const month = `${months[Number(period.slice(5)) - 1]} ${period.slice(0, 4)}`;
        return {
          ring: "done",
          title: words.paymentRecorded(month),
          more: until === null ? words.paymentEndless : words.paymentUntil(writtenDay(clubDay(until), nowMs, language)),
        };
      }
      case "config_made":
        return { ring: "done", title: words.configMade(notice.params.name), more: words.configMadeMore };
      case "config_moved": {
        const { name, until } = notice.params;
        return {
          ring: "warn",
          title: words.configMoved(name),
          more: until === null ? words.configMovedMore : words.configMovedUntil(moment(until)),
        };
      }
      case "configs_moved": {
        const { names, until } = notice.params;
        const more = words.configsMovedMore(names);
        return {
          ring: "warn",
          title: words.configsMoved(names),
          more: until === null ? more : `${more} ${words.configsMovedUntil(moment(until))}`,
        };
      }
      case "config_deleted": {
        const { names } = notice.params;
        return { ring: "bad", title: words.configDeleted(names), more: words.configDeletedMore(names) };
      }
      case "support_reply":
        return {
          ring: "idle",
          title: words.supportReply,
          more: notice.params.ticketId === null ? words.supportChat : words.supportTicket,
        };
      case "maintenance_began":
        return {
          ring: "wait",
          title: words.maintenanceBegan,
          more: words.maintenanceBeganMore(moment(notice.params.since)),
        };
      case "maintenance_ended":
        return {
          ring: "done",
          title: words.maintenanceEnded,
          more: words.maintenanceEndedMore(moment(notice.params.since), moment(notice.params.until)),
        };
      case "joining_limited": {
        const { by, members } = notice.params;
        return { ring: "warn", title: words.joiningLimited[by](members), more: words.joiningLimitedMore[by] };
      }
      case "addresses_low": {
        const { interface: name, server, free } = notice.params;
        return {
          ring: free === 0 ? "bad" : "warn",
          title: words.addressesLow(name, free),
          more: words.addressesLowMore(server),
        };
      }
      case "server_gone":
        return {
          ring: "bad",
          title: words.serverGone(notice.params.server),
          more: words.serverGoneMore(moment(notice.params.since)),
        };
      case "server_back":
        return {
          ring: "done",
          title: words.serverBack(notice.params.server),
          more: words.serverBackMore(moment(notice.params.since), moment(notice.params.until)),
        };
      case "staff_message":
        return { ring: "idle", title: words.staff, more: notice.params.text };
    }
  };
}
