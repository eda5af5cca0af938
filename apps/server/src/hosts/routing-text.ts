import type { DesiredRouting, Exit } from "./host.ts";
import { type Family, families, NFT, networkElements, setOf, sourceElements } from "./nft-sets.ts";
import { closedNamePorts, nameRules, namesInBraces, redirectsText } from "./routed-names.ts";

/** Part of a connection's mark: by which exit it began. It keeps that exit, whatever the rules say later. */
const EXIT_MASK = 0x00ff_0000;
const DIRECT = 0x0001_0000;

const hex = (mark: number) => `0x${(mark >>> 0).toString(16).padStart(8, "0")}`;

const VERDICTS: Record<Exit, string> = { direct: "goto leave_direct", closed: "drop" };

/**
 * The routing as nft text, inside a table: the chain `routing`, for packets of its interfaces, which returns what may leave and
 * drops the rest. Devices and networks are in sets, so there are only a few rules for each service, whatever members chose.
 * @throws RangeError if something is not an address or network: nothing else may get into the text
 */
export function routingText(routing: DesiredRouting | undefined): string {
  if (routing === undefined || routing.interfaces.length === 0) return "";
  const names = routing.rules.flatMap((rule, place) =>
    rule.onlyDns ? nameRules(rule, place + 1, VERDICTS[rule.exit]) : [],
  );
  const rules = routing.rules.flatMap((rule, place) =>
    rule.onlyDns ? [] : families.flatMap((family) => ofFamily(rule, place + 1, family)),
  );
  return [
    ...[...names, ...rules].flatMap(({ sets }) => sets),
    "chain leave_direct {",
    `  ct mark set ct mark & ${hex(~EXIT_MASK)} | ${hex(DIRECT)}`,
    "}",
    "chain routing {",
    ...closedNamePorts,
    `  ct mark & ${hex(EXIT_MASK)} ${hex(DIRECT)} return`,
    ...names.flatMap(({ texts }) => texts.map((text) => `  ${text}`)),
    ...rules.map(({ text }) => `  ${text}`),
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

function ofFamily({ sources, networks, exit }: DesiredRouting["rules"][number], place: number, family: Family) {
  const { saddr, daddr } = NFT[family];
  const devices = sourceElements(sources, family);
  if (devices.length === 0) return [];
  const from = `from_${place}_v${family}`;
  const to = `to_${place}_v${family}`;
  const there = networks && networkElements(networks, family);
  if (there?.length === 0) return [];
  return [
    {
      sets: [...setOf(from, family, devices), ...(there === null ? [] : setOf(to, family, there, "interval"))],
      text: [`${saddr} @${from}`, ...(there === null ? [] : [`${daddr} @${to}`]), VERDICTS[exit]].join(" "),
    },
  ];
}
