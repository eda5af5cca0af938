import classes from "./catalog.module.css";
import { useCatalogWords } from "./words.ts";

/** Of a long change its beginning is shown. */
const SHOWN = 5;

/** What a list adds to and removes from the current one. */
export function Change({ change }: { change: { gained: readonly string[]; lost: readonly string[] } }) {
  const words = useCatalogWords();
  const parts = [
    [words.sources.gained, change.gained],
    [words.sources.lost, change.lost],
  ] as const;
  return (
    <div className={classes.change}>
      {parts.map(
        ([say, networks]) =>
          networks.length > 0 && (
            <p key={say(0)}>
              {say(networks.length)}: <code>{networks.slice(0, SHOWN).join(", ")}</code>
              {networks.length > SHOWN && ` ${words.andMore(networks.length - SHOWN)}`}
            </p>
          ),
      )}
      {change.gained.length + change.lost.length === 0 && <p>{words.sources.same}</p>}
    </div>
  );
}
