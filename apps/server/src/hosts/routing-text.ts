import { EXIT_MASK, exitChains, exitsKept, hex } from "./exit-text.ts";
import type { DesiredRouting, Exit, ExitLink } from "./host.ts";
import { type Family, families, NFT, networkElements, setOf, sourceElements } from "./nft-sets.ts";
import { answerSets, answerSetsText } from "./resolver-sets.ts";
import { type AnsweringResolvers, closedNamePorts, nameRules, namesInBraces, redirectsText } from "./routed-names.ts";

const DIRECT = 0x0001_0000;

/** A link that the machine does not have leads nowhere. */
function verdictOf(exit: Exit, links: readonly ExitLink[]): string {
  if (exit === "direct") return "goto leave_direct";
  return links.some(({ number }) => number === exit) ? `goto leave_${exit}` : "drop";
}

/**
 * The routing as nft text, inside a table: the chain `routing`, for packets of its interfaces, which returns what may leave and
 * drops the rest. Devices and networks are in sets, so there are only a few rules for each service, whatever members chose.
 * @throws RangeError if something is not an address or network: nothing else may get into the text
 */
export function routingText(routing: DesiredRouting | undefined, resolvers: AnsweringResolvers = null): string {
  if (routing === undefined || routing.interfaces.length === 0) return "";
  const { links = [] } = routing;
  const names = routing.rules.flatMap((rule, place) =>
    rule.onlyDns ? nameRules(rule, place + 1, verdictOf(rule.exit, links), resolvers?.get(place)) : [],
  );
  const hasResolver = resolvers !== null;
  const rules = routing.rules.flatMap((rule, place) =>
    rule.onlyDns
      ? []
      : families.flatMap((family) => ofFamily(rule, place + 1, family, verdictOf(rule.exit, links), hasResolver)),
  );
  const keys = new Set(hasResolver ? routing.rules.flatMap(({ names: own }) => own?.key ?? []) : []);
  return [
    ...[...names, ...rules].flatMap(({ sets }) => sets),
    ...[...keys].flatMap((key) => families.flatMap((family) => answerSetsText(key, family))),
    "chain leave_direct {",
    `  ct mark set ct mark & ${hex(~EXIT_MASK)} | ${hex(DIRECT)}`,
    "}",
    ...exitChains(links),
    "chain routing {",
    ...closedNamePorts,
    `  ct mark & ${hex(EXIT_MASK)} ${hex(DIRECT)} return`,
    ...exitsKept(links).map((line) => `  ${line}`),
    ...names.flatMap(({ texts }) => texts.map((text) => `  ${text}`)),
    ...rules.flatMap(({ texts }) => texts.map((text) => `  ${text}`)),
    "  drop",
    "}",
    ...redirectsText(routing.interfaces, names),
  ]
    .map((line) => `  ${line}\n`)
    .join("");
}

/**
 * Sends packets of routed interfaces there; for a chain that all members' packets go through. Not those to the machine itself:
 * what it offers members, such as the panel, stays open.
 */
export const routingJump = (routing: DesiredRouting | undefined): string[] =>
  routing === undefined || routing.interfaces.length === 0
    ? []
    : [`    fib daddr type unicast iifname ${namesInBraces(routing.interfaces)} jump routing`];

function ofFamily(
  { sources, networks, names }: DesiredRouting["rules"][number],
  place: number,
  family: Family,
  verdict: string,
  hasResolver: boolean,
) {
  const { saddr, daddr } = NFT[family];
  const devices = sourceElements(sources, family);
  if (devices.length === 0) return [];
  const from = `from_${place}_v${family}`;
  const to = `to_${place}_v${family}`;
  const there = networks && networkElements(networks, family);
  const key = hasResolver ? names?.key : undefined;
  const places = [
    ...(there === null ? [""] : there.length > 0 ? [` ${daddr} @${to}`] : []),
    ...(key === undefined ? [] : Object.values(answerSets(key, family)).map((set) => ` ${daddr} @${set}`)),
  ];
  if (places.length === 0) return [];
  return [
    {
      sets: [
        ...setOf(from, family, devices),
        ...(there === null || there.length === 0 ? [] : setOf(to, family, there, "interval")),
      ],
      texts: places.map((where) => `${saddr} @${from}${where} ${verdict}`),
    },
  ];
}
