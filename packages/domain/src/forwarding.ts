/*
 * Whether a VPN server forwards what members send, judged by what its firewall has counted and what can be read of others'
 * firewalls. An idle club proves nothing, and traffic that passes clears a firewall that was read wrongly.
 */

/** Cumulative counters: page connections (`web`) and name lookups (`dns`), or the answers to them (`back`). */
export interface Passing {
  way: "out" | "back";
  family: 4 | 6;
  kind: "web" | "dns";
  begun: number;
  passed: number;
}

/** What may refuse them. */
export interface Suspect {
  chain: string;
  rule: string | null;
  ways: readonly Passing["way"][];
  families: readonly Passing["family"][];
  isSure: boolean;
}

/** What is remembered about a server from one check to the next. */
export interface ForwardingWatch {
  counted: readonly Passing[];
  /** Attempts since the last one that passed, by kind. */
  inVain: ReadonlyMap<string, number>;
  /** Suspects that let something through. */
  cleared: ReadonlySet<string>;
  hasSuspects: boolean;
}

export interface ForwardingVerdict<Of extends Suspect> {
  /** `refused`: counted. `suspected`: read from the rules, nothing sent yet. */
  state: "refused" | "suspected";
  causes: Of[];
}

/** Failed attempts before it counts as refused: with a suspected firewall, and without one. One phone repeats itself. */
const ENOUGH = 5;
const ENOUGH_WITHOUT_SUSPECT = 30;

const keyOf = ({ way, family, kind }: Pick<Passing, "way" | "family" | "kind">) => `${way} ${kind} ${family}`;
const pairsOf = (suspect: Suspect) =>
  suspect.ways.flatMap((way) =>
    suspect.families.map((family) => ({
      way,
      family,
      key: JSON.stringify([suspect.chain, suspect.rule, way, family]),
    })),
  );

/** The next check. `counted`: null if nothing counts. */
export function judgeForwarding<Of extends Suspect>(
  before: ForwardingWatch | null,
  counted: readonly Passing[] | null,
  suspects: readonly Of[],
): { watch: ForwardingWatch; verdict: ForwardingVerdict<Of> | null } {
  const last = new Map(before?.counted.map((each) => [keyOf(each), each]));
  const hasSuspects = suspects.length > 0;
  // A firewall that was opened deserves another chance.
  const isOpened = before?.hasSuspects === true && !hasSuspects;
  const inVain = new Map(isOpened ? [] : before?.inVain);
  const hasPassed = new Set<string>();
  for (const now of counted ?? []) {
    const { begun, passed } = sinceLast(now, before === null ? null : (last.get(keyOf(now)) ?? NOTHING));
    if (passed > 0) hasPassed.add(keyOf(now));
    inVain.set(keyOf(now), passed > 0 ? 0 : (inVain.get(keyOf(now)) ?? 0) + begun);
  }
  // If pages open, names are resolved somehow.
  for (const { way, family } of counted ?? [])
    if (hasPassed.has(keyOf({ way, family, kind: "web" }))) inVain.set(keyOf({ way, family, kind: "dns" }), 0);

  const known = new Set(suspects.flatMap((suspect) => pairsOf(suspect).map(({ key }) => key)));
  const cleared = new Set([...(before?.cleared ?? [])].filter((key) => known.has(key)));
  for (const suspect of suspects)
    for (const { key, ...pair } of pairsOf(suspect))
      if (hasPassed.has(keyOf({ ...pair, kind: "web" }))) cleared.add(key);

  const refused = (counted ?? []).filter(({ way, family, kind }) => {
    const isSuspected = suspects.some((each) => each.ways.includes(way) && each.families.includes(family));
    return (inVain.get(keyOf({ way, family, kind })) ?? 0) >= (isSuspected ? ENOUGH : ENOUGH_WITHOUT_SUSPECT);
  });
  const watch = { counted: counted ?? [], inVain, cleared, hasSuspects };
  if (refused.length > 0) {
    const causes = suspects.filter((each) =>
      refused.some(({ way, family }) => each.ways.includes(way) && each.families.includes(family)),
    );
    return { watch, verdict: { state: "refused", causes } };
  }
  const causes = suspects.filter((each) => each.isSure && pairsOf(each).some(({ key }) => !cleared.has(key)));
  return { watch, verdict: causes.length === 0 ? null : { state: "suspected", causes } };
}

const NOTHING = { begun: 0, passed: 0 };

/** Counters start at zero with a new table. Counts from before the first check matter only if nothing ever passed. */
function sinceLast(now: Passing, before: Pick<Passing, "begun" | "passed"> | null) {
  if (before === null) return now.passed === 0 ? now : NOTHING;
  if (now.begun < before.begun || now.passed < before.passed) return now;
  return { begun: now.begun - before.begun, passed: now.passed - before.passed };
}
