import { latelyFrom } from "@krug/domain/diagnosis";
import { relativeAge } from "@krug/domain/handshake";
import { MINUTE_MS } from "@krug/domain/moment";
import { keepsDevicesOff } from "@krug/domain/probe";
import { ageText, clock, clubDay, moment, sinceText, sizeText, writtenDay } from "../../../lib/format.ts";
import type { DiagnosisWords } from "../../../lib/i18n/devices.ts";
import type { Language } from "../../../lib/i18n/language.ts";
import type { MemberText } from "../../../lib/i18n/ru.ts";
import type { RingState } from "../../../ui/ring.tsx";
import type { Config, Diagnosis } from "./queries.ts";

type Cause = Diagnosis["cause"];

export const CAUSE_RING: Record<Cause, RingState> = {
  blocked: "bad",
  dormant: "warn",
  ended: "warn",
  expired: "warn",
  no_subscription: "warn",
  quota: "warn",
  interface_off: "bad",
  server_away: "bad",
  tunnel_down: "bad",
  applying: "wait",
  outdated_file: "warn",
  too_many_addresses: "warn",
  not_forwarded: "bad",
  exit_waits: "bad",
  exit_direct: "warn",
  exit_other: "warn",
  no_dns: "warn",
  all_well: "on",
  clock: "warn",
  tunnel_blocked: "bad",
  never_connected: "never",
  udp_blocked: "bad",
  switched_off: "idle",
};

/** What fixes it: a button of the dialog if there is one, else waiting, or a change on the device, and another check. */
export type Fix = "pay" | "file" | "key" | "way" | "support" | "again";

const FIX: Record<Cause, Fix> = {
  blocked: "support",
  dormant: "again",
  ended: "again",
  expired: "pay",
  no_subscription: "support",
  quota: "support",
  interface_off: "support",
  server_away: "again",
  tunnel_down: "again",
  applying: "again",
  outdated_file: "file",
  too_many_addresses: "again",
  not_forwarded: "again",
  exit_waits: "again",
  exit_direct: "again",
  exit_other: "again",
  no_dns: "again",
  all_well: "again",
  clock: "again",
  tunnel_blocked: "way",
  never_connected: "file",
  udp_blocked: "way",
  switched_off: "again",
};

/** `hasWay`: the device can move to another kind of tunnel. */
export function fixOf(
  cause: Cause,
  { keyOrigin, services }: Pick<Config, "keyOrigin" | "services">,
  hasWay: boolean,
): Fix {
  const fix = FIX[cause];
  if (fix === "way") return hasWay ? "way" : "again";
  if (fix !== "file") return fix;
  // What the file of a device that moved in has to route is known once services are chosen.
  if (services.length === 0) return "again";
  if (keyOrigin === "panel") return "file";
  return cause === "outdated_file" ? "key" : "again";
}

/** Smaller differences are ignored: nobody sets a clock to the second. */
const CLOCK_NOTED_FROM_MS = MINUTE_MS;

interface Speech<Text = Pick<MemberText, "age">> {
  words: DiagnosisWords;
  text: Text;
  language: Language;
}

/** An app that is too old for the tunnel looks the same as a blocked network. */
const LIKE_AN_OLD_APP: ReadonlySet<Cause> = new Set(["never_connected", "tunnel_blocked", "udp_blocked"]);

type WithAmneziawg = { tunnel: { version: NonNullable<Config["tunnel"]["version"]> } };

export const mayHaveOldApp = <Of extends Pick<Config, "tunnel">>(
  cause: Cause,
  config: Of,
): config is Of & WithAmneziawg => config.tunnel.version !== null && LIKE_AN_OLD_APP.has(cause);

/** What to do now, in order. */
export function stepsOf(cause: Cause, config: Pick<Config, "keyOrigin" | "tunnel">, words: DiagnosisWords): string[] {
  const { steps } = words.causes[cause];
  if (mayHaveOldApp(cause, config)) return [words.appVersionStep, ...steps];
  const hasOwnKey = cause === "outdated_file" && config.keyOrigin === "browser";
  return hasOwnKey ? [words.replaceKeyStep, ...steps.slice(1)] : [...steps];
}

/** What the club sees, as pairs of a name and a value. `relative`: relative times, for somebody who reads it at once. */
export function factsOf(seen: Diagnosis, { words, text, language }: Speech, relative: boolean): [string, string][] {
  const { facts } = words;
  const checkedMs = Date.parse(seen.checkedAt);
  const said = (ms: number) => (relative ? ageText(ms, checkedMs, text.age) : moment(ms, language));
  const size = (bytes: number) => sizeText(bytes, language);
  const right = facts.rights[seen.entitlement.reason];
  const until = seen.entitlement.allowed && seen.entitlement.until !== null ? clubDay(seen.entitlement.until) : null;
  const awaySince = seen.serverAwaySince === null ? null : Date.parse(seen.serverAwaySince);
  const since = (ms: number) => (relative ? sinceText(ms, checkedMs, language) : moment(ms, language));
  const pairs: [string, string][] = [
    [facts.subscription, until === null ? right : facts.until(right, writtenDay(until, checkedMs, language))],
    [facts.server, awaySince === null ? facts.answers(seen.serverName) : facts.away(seen.serverName, since(awaySince))],
    ...tunnelFact(seen, words, since),
    [facts.onServer, seen.applied ? facts.applied : facts.notApplied],
    [facts.handshake, seen.lastHandshake === null ? facts.never : said(seen.lastHandshake)],
    [facts.since(clock(latelyFrom(checkedMs))), facts.traffic(size(seen.receivedLately), size(seen.sentLately))],
    [facts.file, seen.fileOutdated ? facts.outdated : facts.current],
  ];
  if (seen.restExit !== null)
    pairs.push([
      facts.rest,
      seen.restExit === "server" ? facts.exitBy(seen.restExitServer ?? "") : facts.exits[seen.restExit],
    ]);
  for (const { server, link, services } of seen.exits)
    pairs.push([facts.exit(server), [facts.links[link], ...services].join(", ")]);
  if (seen.clockAhead !== null) pairs.push([facts.clock, clockWords(seen.clockAhead, words)]);
  return pairs;
}

/** Nothing while unknown: the panel did not try yet, or failed to connect itself. */
function tunnelFact(
  { tunnel }: Diagnosis,
  { facts }: DiagnosisWords,
  said: (ms: number) => string,
): [string, string][] {
  if (tunnel === null) return [];
  const since = said(Date.parse(tunnel.since));
  if (keepsDevicesOff(tunnel.state)) return [[facts.tunnel, facts.connectsNot(since)]];
  if (tunnel.state !== "answers") return [];
  return [[facts.tunnel, (tunnel.fromInside ? facts.connectsInside : facts.connects)(since)]];
}

function clockWords(aheadMs: number, { facts, span }: DiagnosisWords): string {
  const offMs = Math.abs(aheadMs);
  if (offMs < CLOCK_NOTED_FROM_MS) return facts.right;
  const { unit, count } = relativeAge(0, offMs);
  if (unit === "never") return facts.right;
  return (aheadMs > 0 ? facts.ahead : facts.behind)(span[unit](count));
}

const firstLine = ({ name, deviceType }: Config, found: string, { words, text }: Speech<MemberText>) =>
  words.report(name, deviceType === "phone" ? text.card.phone : text.card.computer, found);

/** For support, when the check itself failed. */
export const failedReportOf = (config: Config, speech: Speech<MemberText>): string =>
  firstLine(config, speech.words.failed, speech);

/** The diagnosis as a message to staff: no key, and no address of the device or of the server. */
export function reportOf(config: Config, seen: Diagnosis, speech: Speech<MemberText>): string {
  const { words, language } = speech;
  return [
    firstLine(config, words.causes[seen.cause].title, speech),
    ...factsOf(seen, speech, false).map(([name, value]) => `${name}: ${value}`),
    words.reportAt(moment(Date.parse(seen.checkedAt), language)),
  ].join("\n");
}
