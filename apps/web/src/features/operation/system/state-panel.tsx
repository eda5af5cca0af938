import { useQuery } from "@tanstack/react-query";
import { systemQuery } from "../../../lib/system-state.ts";
import { Ring } from "../../../ui/ring.tsx";
import { useLiveRing } from "../../../ui/use-live-ring.ts";
import { AskedPanel } from "./asked-panel.tsx";
import classes from "./system.module.css";
import { useFacts } from "./use-facts.tsx";
import { useSystemWords } from "./words.ts";

/** The panel's version, and the health of all it uses: what is wrong first. */
export function StatePanel() {
  const { state: words } = useSystemWords();
  const query = useQuery(systemQuery);
  const facts = useFacts();
  const liveRing = useLiveRing();
  return (
    <AskedPanel title={words.title} query={query} failed={words.failed}>
      {() => (
        <dl className={classes.facts}>
          {facts.map(({ key, name, ring, about }) => (
            <div key={key}>
              <dt>
                {ring && <Ring state={liveRing(ring)} size={18} />}
                {name}
              </dt>
              <dd>{about}</dd>
            </div>
          ))}
        </dl>
      )}
    </AskedPanel>
  );
}
