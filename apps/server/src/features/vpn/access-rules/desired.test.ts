import { groupBySelection, passage } from "@krug/domain/access-rules";
import { covers, readAddress, requireCidr } from "@krug/wireguard/addresses";
import fc from "fast-check";
import { expect, test } from "vitest";
import { accessText } from "../../../hosts/access-text.ts";
import { accessBy, networksOf } from "./desired.ts";
import type { NameRow, RuleRow } from "./table.ts";

/*
 * A server gets the rules as nft text, with groups and sets; the interface answers from `passage`. Here the text is read as nft
 * reads it, and both must give the same answer for every packet.
 */

interface Table {
  elements: Map<string, string[]>;
  chains: Map<string, string[]>;
}

function readTable(text: string): Table {
  const table: Table = { elements: new Map(), chains: new Map() };
  let chain: string[] | null = null;
  let name = "";
  for (const line of text.split("\n").map((each) => each.trim())) {
    const head = /^(set|map|chain) (\w+) \{$/.exec(line);
    if (head) {
      name = head[2] ?? "";
      chain = head[1] === "chain" ? [] : null;
      if (chain) table.chains.set(name, chain);
      else table.elements.set(name, []);
    } else if (line.startsWith("elements = {")) table.elements.set(name, line.slice(12, -1).trim().split(", "));
    else if (line !== "}" && line !== "" && chain) chain.push(line);
  }
  return table;
}

/** Walks a chain; 'return' and the end of a chain let the packet pass. */
function verdict(
  { elements, chains }: Table,
  chain: string,
  source: string,
  destination: string,
): "passes" | "dropped" {
  const familyOf = (word: string) => (word === "ip6" ? 6 : 4);
  for (const line of chains.get(chain) ?? []) {
    const [family = "", field, set = "", ...rest] = line.split(" ");
    if (family === "goto") return verdict({ elements, chains }, field ?? "", source, destination);
    const address = field === "saddr" ? source : destination;
    if (readAddress(address)?.family !== familyOf(family)) continue;
    if (set === "vmap") {
      const found = elements.get((rest[0] ?? "").slice(1))?.find((each) => each.split(" : ")[0] === source);
      const next = found?.split("goto ")[1];
      if (next) return verdict({ elements, chains }, next, source, destination);
    } else if (covers(elements.get(set.slice(1)) ?? [], destination)) return rest[0] === "drop" ? "dropped" : "passes";
  }
  return "passes";
}

const v4 = fc
  .tuple(fc.integer({ min: 0, max: 15 }), fc.integer({ min: 28, max: 32 }))
  .map(([last, prefix]) => `203.0.113.${last}/${prefix}`);
const v6 = fc
  .tuple(fc.integer({ min: 0, max: 15 }), fc.integer({ min: 124, max: 128 }))
  .map(([last, prefix]) => `2001:db8::${last.toString(16)}/${prefix}`);
const devices = new Map([
  ["anna", ["10.8.0.2", "fd00::2"]],
  ["boris", ["10.8.0.3", "10.8.0.4"]],
  ["vera", ["10.8.0.5"]],
  ["nobody's", []],
]);
const names = new Map<string, NameRow>(
  [
    ["found.example", ["203.0.113.3", "2001:db8::3"]],
    ["lost.example", []],
  ].map(([name, addresses]) => [
    name as string,
    {
      name: name as string,
      addresses: JSON.stringify(addresses),
      found_at: 1,
      asked_at: 1,
      failing_since: null,
      failure: null,
    },
  ]),
);
const wishes = fc.array(
  fc.record({
    type: fc.constantFrom("blacklist" as const, "whitelist" as const),
    target: fc.oneof(v4, v6, fc.constantFrom("found.example", "lost.example", "0.0.0.0/0", "::/0")),
    members: fc.option(fc.uniqueArray(fc.constantFrom(...devices.keys()), { minLength: 1 })),
  }),
  { maxLength: 12 },
);
const destinations = [
  ...Array.from({ length: 17 }, (_, last) => `203.0.113.${last}`),
  "2001:db8::3",
  "2001:db8::9",
  "2001:db8::ff",
];

test("a server's rules decide every packet as the interface says", () => {
  fc.assert(
    fc.property(wishes, (list) => {
      const rows = list.map(
        ({ type, target, members }, place): RuleRow => ({
          id: `rule-${place}`,
          type,
          target,
          kind: target.endsWith(".example") ? "name" : "network",
          applies_to: members === null ? "all" : "selected",
          group_id: null,
          created_at: place,
        }),
      );
      const groups = groupBySelection(
        list.map(({ members }, place) => ({ ruleId: `rule-${place}`, memberIds: members ?? [] })),
      );
      const table = readTable(accessText(accessBy(rows, names, groups, devices)));
      const rules = rows.map((row, place) => ({
        type: row.type,
        appliesTo: row.applies_to === "all" ? ("all" as const) : new Set(list[place]?.members),
        ranges: networksOf(row, names).map(requireCidr),
      }));
      for (const [member, sources] of devices)
        for (const source of sources)
          for (const destination of destinations) {
            const address = readAddress(destination);
            if (address === null) throw new Error("no address");
            const { open } = passage(member, { address, tcpPort: null }, rules, {
              networks: [],
              tcpPorts: [],
              ownServer: { addresses: [], openTcpPorts: [] },
            });
            // A packet has one family: nothing goes from IPv4 to IPv6.
            if (readAddress(source)?.family !== address.family) continue;
            expect([source, destination, verdict(table, "access_rules", source, destination)]).toEqual([
              source,
              destination,
              open ? "passes" : "dropped",
            ]);
          }
    }),
  );
});

test("nothing but addresses and networks gets into the text", () => {
  const none = { allowed: [], denied: [] };
  for (const hostile of ["example.org", "1.1.1.1 }; flush ruleset", "@set", "10.8.0.1-10.8.0.9", ""]) {
    expect(() => accessText({ everyone: { allowed: [hostile], denied: [] }, groups: [] })).toThrow(RangeError);
    expect(() => accessText({ everyone: none, groups: [{ ...none, sources: [hostile] }] })).toThrow(RangeError);
  }
});
