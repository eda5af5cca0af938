import { Ring } from "../../../ui/ring.tsx";
import { useExitsWords } from "../exits/index.ts";
import type { Checked } from "./queries.ts";
import classes from "./rules.module.css";
import type { RulesWords } from "./words.ts";
import { useRulesWords } from "./words.ts";

type Place = Checked["places"][number];

const ADDRESSES_SHOWN = 6;
const RINGS = { reaches: "done", partly: "warn", closed: "bad" } as const;
const TONES = { reaches: "good", partly: "warn", closed: "bad" } as const;

const whomOf = ({ appliesTo, group }: NonNullable<Place["rule"]>, words: RulesWords) =>
  appliesTo === "all" ? words.all : group ? words.groupNamed(group.name) : words.selected;

/** Why one address opens or does not. */
function whyOf({ by, rule, closedBecause }: Place, words: RulesWords): string {
  const { check } = words;
  if (rule !== null) return check.rule[rule.type](rule.target, whomOf(rule, words));
  if (closedBecause !== null) return check.closed[closedBecause];
  return by in check.by ? check.by[by as keyof typeof check.by] : check.by.default;
}

/** The answer first, then what decides it. */
export function CheckResult({ checked }: { checked: Checked }) {
  const words = useRulesWords();
  const { check } = words;
  const { now } = useExitsWords();
  const { verdict, member, target, obstacle, failure, places, beside, exits } = checked;
  const reasons = [...new Set(places.map((place) => whyOf(place, words)))];
  const [only] = reasons;
  const isOneReason = reasons.length === 1 && new Set(places.map(({ open }) => open)).size === 1;
  return (
    <div className={classes.result}>
      <p className={classes.verdict} data-state={TONES[verdict]}>
        <Ring state={RINGS[verdict]} size={24} />
        <b>{check.verdicts[verdict](member.displayName, target)}</b>
      </p>
      {obstacle !== null && <p>{check.obstacles[obstacle]}</p>}
      {places.length === 0 && failure !== null && <p>{check.unresolved[failure]}</p>}
      {places.length > 0 && failure !== null && <p>{check.lastKnown}</p>}
      {obstacle === null && isOneReason && <p>{only}</p>}
      {obstacle === null && !isOneReason && (
        <ul className={classes.places}>
          {places.slice(0, ADDRESSES_SHOWN).map((place) => (
            <li key={place.address}>
              <Ring state={place.open ? "done" : "bad"} size={18} />
              <div className={classes.what}>
                <span className={classes.target}>{place.address}</span>
                <span className={classes.state}>
                  {place.open ? check.opens : check.opensNot}. {whyOf(place, words)}
                </span>
              </div>
            </li>
          ))}
          {places.length > ADDRESSES_SHOWN && <li>{check.moreAddresses(places.length - ADDRESSES_SHOWN)}</li>}
        </ul>
      )}
      {obstacle === null &&
        [
          ...new Set(
            exits.map(({ device, exit, service, server, link, instead, other }) =>
              check.exits[exit](
                target,
                device,
                service,
                now(server ?? "", link ?? "up") + (instead === null ? "" : check.instead[instead](other ?? "")),
              ),
            ),
          ),
        ].map((line) => (
          <p key={line} className={classes.quiet}>
            {line}
          </p>
        ))}
      {obstacle === null && beside.length > 0 && <p className={classes.quiet}>{check.beside(beside.join(", "))}</p>}
    </div>
  );
}
