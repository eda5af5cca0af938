/*
 * Whether a VPN server passes on what members send: by what its firewall has counted, and by what can be read of others' firewalls.
 * An idle club proves nothing, and what passes clears a firewall that was read wrongly.
 */

/** Cumulative, as counted; the openings of pages (`web`) and questions for names (`dns`), or the answers to them (`back`). */
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

/** What is kept of a server from one look to the next. */
export interface ForwardingWatch {
  counted: readonly Passing[];
  /** Begun without one that passed since, by what they are. */
  inVain: ReadonlyMap<string, number>;
  /** Suspects past which something went. */
  cleared: ReadonlySet<string>;
  hasSuspects: boolean;
}

export interface ForwardingVerdict<Of extends Suspect> {
  /** `refused`: counted. `suspected`: read, and nothing has been sent yet. */
  state: "refused" | "suspected";
  causes: Of[];
}

/** Begun in vain, before it counts as refused: where a firewall is suspected, and where none is. One phone repeats itself. */
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

/** The next look. `counted`: null where nothing counts. */
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
  // Where pages open, names are found in some way.
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

/** Counters begin at zero with a new table. Of what was counted before the first look, only that nothing ever passed tells something. */
function sinceLast(now: Passing, before: Pick<Passing, "begun" | "passed"> | null) {
  if (before === null) return now.passed === 0 ? now : NOTHING;
  if (now.begun < before.begun || now.passed < before.passed) return now;
  return { begun: now.begun - before.begun, passed: now.passed - before.passed };
}
