import type { NoticeWords } from "./notice-words.ts";
import type { Told } from "./told.ts";

/** How a reader's language writes what a notice names. */
export interface NoticeSpeech {
  /** The day of a moment that has the club's offset: '3 октября'. */
  day(iso: string): string;
  /** The day and the time on the club's clock: '3 октября, 14:20'. */
  moment(iso: string): string;
  size(bytes: number): string;
  /** An exact decimal of a currency: '1 500 ₽'. */
  money(amount: string, currency: string): string;
}

interface NoticeText {
  title: string;
  more: string;
}

/** A notice in the reader's language: the panel keeps what happened, not how it is said. */
export function noticeText(
  notice: Told,
  { said: words, months }: NoticeWords,
  { day, moment, size, money }: NoticeSpeech,
): NoticeText {
  switch (notice.kind) {
    case "subscription_ends":
      return {
        title: words.subscriptionEnds[notice.params.days],
        more: words.subscriptionEndsMore(moment(notice.params.endsAt)),
      };
    case "subscription_ended":
      return { title: words.subscriptionEnded, more: words.subscriptionEndedMore(moment(notice.params.endedAt)) };
    case "referral_ends": {
      const { days, endsAt, friend } = notice.params;
      return { title: words.referralEnds[days], more: words.referralEndsMore(friend, moment(endsAt)) };
    }
    case "referral_ended":
      return { title: words.referralEnded, more: words.referralEndedMore(moment(notice.params.endedAt)) };
    case "friend_connected":
      return { title: words.friendConnected(notice.params.friend), more: words.friendConnectedMore };
    case "referral_earned":
      return { title: words.referralEarned, more: words.referralEarnedMore(notice.params.friends) };
    case "quota_nearly":
    case "quota_used_up": {
      const { bytes, atEnd, resetsAt } = notice.params;
      const isNearly = notice.kind === "quota_nearly";
      const more = (isNearly ? words.quotaNearlyMore : words.quotaUsedUpMore)[atEnd];
      return { title: isNearly ? words.quotaNearly : words.quotaUsedUp, more: more(size(bytes), day(resetsAt)) };
    }
    case "payment_recorded": {
      const { period, until } = notice.params;
      return {
        title: words.paymentRecorded(`${months[Number(period.slice(5)) - 1]} ${period.slice(0, 4)}`),
        more: until === null ? words.paymentEndless : words.paymentUntil(day(until)),
      };
    }
    case "payment_taken_back": {
      const { period, until } = notice.params;
      return {
        title: words.paymentTakenBack(`${months[Number(period.slice(5)) - 1]} ${period.slice(0, 4)}`),
        more: until === null ? words.paymentTakenBackMore : words.paymentTakenBackUntil(day(until)),
      };
    }
    case "subscription_extended":
      return { title: words.extended, more: words.paymentUntil(day(notice.params.until)) };
    case "config_made":
      return { title: words.configMade(notice.params.name), more: words.configMadeMore };
    case "device_connected":
      return { title: words.deviceConnected(notice.params.name), more: words.deviceConnectedMore };
    case "config_moved": {
      const { name, until, needsAmneziawg } = notice.params;
      const more = until === null ? words.configMovedMore : words.configMovedUntil(moment(until));
      return { title: words.configMoved(name), more: needsAmneziawg ? `${more} ${words.otherApp}` : more };
    }
    case "configs_moved": {
      const { names, until, needsAmneziawg } = notice.params;
      const more = [
        words.configsMovedMore(names),
        ...(until === null ? [] : [words.configsMovedUntil(moment(until))]),
        ...(needsAmneziawg ? [words.otherApp] : []),
      ];
      return { title: words.configsMoved(names), more: more.join(" ") };
    }
    case "config_deleted": {
      const { names } = notice.params;
      return { title: words.configDeleted(names), more: words.configDeletedMore(names) };
    }
    case "lost_device_reported":
      return { title: words.lostDeviceReported, more: words.lostDeviceReportedMore(notice.params.asksStaff) };
    case "lost_device_cut":
      return { title: words.lostDeviceCut(notice.params.name), more: words.lostDeviceCutMore };
    case "support_reply":
      return {
        title: words.supportReply,
        more: notice.params.ticketId === null ? words.supportChat : words.supportTicket,
      };
    case "maintenance_began":
      return { title: words.maintenanceBegan, more: words.maintenanceBeganMore(moment(notice.params.since)) };
    case "maintenance_ended":
      return {
        title: words.maintenanceEnded,
        more: words.maintenanceEndedMore(moment(notice.params.since), moment(notice.params.until)),
      };
    case "joining_limited": {
      const { by, members } = notice.params;
      return { title: words.joiningLimited[by](members), more: words.joiningLimitedMore[by] };
    }
    case "codes_guessed":
      return { title: words.codesGuessed(notice.params.wrongCodes), more: words.codesGuessedMore };
    case "ticket_opened":
      return { title: words.ticketOpened(notice.params.member), more: notice.params.subject };
    case "member_joined":
      return { title: words.memberJoined(notice.params.username), more: words.memberJoinedMore };
    case "addresses_low": {
      const { interface: name, server, free } = notice.params;
      return { title: words.addressesLow(name, free), more: words.addressesLowMore(server) };
    }
    case "server_gone":
      return { title: words.serverGone(notice.params.server), more: words.serverGoneMore(moment(notice.params.since)) };
    case "server_back":
      return {
        title: words.serverBack(notice.params.server),
        more: words.serverBackMore(moment(notice.params.since), moment(notice.params.until)),
      };
    case "forwarding_refused":
      return { title: words.forwardingRefused(notice.params.server), more: words.forwardingRefusedMore };
    case "forwarding_back":
      return {
        title: words.forwardingBack(notice.params.server),
        more: words.forwardingBackMore(moment(notice.params.since), moment(notice.params.until)),
      };
    case "interface_gone": {
      const { interface: name, server, since } = notice.params;
      return { title: words.interfaceGone(name), more: words.interfaceGoneMore(server, moment(since)) };
    }
    case "interface_back": {
      const { interface: name, server, since, until } = notice.params;
      return {
        title: words.interfaceBack(name),
        more: words.interfaceBackMore(server, moment(since), moment(until)),
      };
    }
    case "backup_late":
      return { title: words.backupLate, more: words.backupLateMore(moment(notice.params.since)) };
    case "webhook_off": {
      const { host, because } = notice.params;
      return { title: words.webhookOff(host), more: words.webhookOffMore[because] };
    }
    case "unknown_peers": {
      const { interface: name, server, count } = notice.params;
      return { title: words.unknownPeers(count), more: words.unknownPeersMore(name, server) };
    }
    case "counters_refused":
      return { title: words.countersRefused(notice.params.server), more: words.countersRefusedMore };
    case "daily_digest": {
      const { day: of, devices, bytes, received, servers, ...figures } = notice.params;
      const { digest } = words;
      const sum = received.map(({ amount, currency }) => money(amount, currency)).join(", ");
      const lines = [
        digest.devices(devices, size(bytes)),
        figures.joined > 0 && digest.joined(figures.joined),
        figures.payments > 0 && digest.payments(figures.payments, sum),
        figures.ended > 0 && digest.ended(figures.ended),
        figures.ending > 0 && digest.ending(figures.ending),
        figures.claims > 0 && digest.claims(figures.claims),
        figures.conversations > 0 && digest.conversations(figures.conversations),
        figures.tickets > 0 && digest.tickets(figures.tickets),
        servers.length > 0 && digest.servers(servers),
      ];
      return { title: digest.title(day(of)), more: lines.filter((line) => line !== false).join("\n") };
    }
    case "staff_message":
      return { title: words.staff, more: notice.params.text };
  }
}
