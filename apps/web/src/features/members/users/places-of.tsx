import { useQuery } from "@tanstack/react-query";
import { placeName } from "../../../lib/place-name.ts";
import cells from "../../../ui/cells.module.css";
import { Line, Lines } from "../../../ui/lines.tsx";
import { Panel } from "../../../ui/panel.tsx";
import { useLiveRing } from "../../../ui/use-live-ring.ts";
import { interfacesOfQuery } from "./queries.ts";
import { useUsersWords } from "./words.ts";

const RINGS = { answers: "on", busy: "warn", silent: "bad" } as const;

/** Interfaces that a member may use: those assigned to them, or the main server's. */
export function PlacesOf({ memberId }: { memberId: string }) {
  const { page: words } = useUsersWords();
  const liveRing = useLiveRing();
  const places = useQuery(interfacesOfQuery(memberId)).data;
  if (places === undefined) return null;
  return (
    <Panel title={words.places}>
      {places.length === 0 && <p className={cells.quiet}>{words.noPlaces}</p>}
      <Lines>
        {places.map(({ id, serverState, reason, ...place }) => (
          <Line key={id} ring={liveRing(RINGS[serverState])}>
            <b>{placeName(place)}</b>
            {reason !== null && <span>{words.placeReasons[reason]}</span>}
          </Line>
        ))}
      </Lines>
    </Panel>
  );
}
