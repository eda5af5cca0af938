import { isOwnExit, ROUTINGS } from "@krug/domain/routing-rules";
import type { ApiError } from "../../../lib/api.ts";
import { FormMessage } from "../../../ui/form-message.tsx";
import { Segments } from "../../../ui/segments.tsx";
import { ExitDownField, ExitField, ExitLinkField } from "../exits/index.ts";
import type { Interface } from "../servers/index.ts";
import classes from "./interfaces.module.css";
import { useInterfacesWords } from "./words.ts";

export type Routed = Pick<Interface, "routing" | "restExit" | "exitDown" | "exitLink">;

export const BY_DEVICES: Routed = { routing: "device", restExit: "direct", exitDown: "wait", exitLink: "wireguard" };

/** The field that a refusal of the panel is about, if it is one of these. */
export function routingProblem({ code, message, details }: ApiError): { field: keyof Routed; message: string } | null {
  if (code === "interface.cannot_route") return { field: "routing", message };
  if (code === "exit.cannot_disguise") return { field: "exitLink", message };
  if (!code.startsWith("exit.")) return null;
  return { field: details.field === "exitDown" ? "exitDown" : "restExit", message };
}

interface Props {
  /** The interface's server. */
  entryId: string;
  value: Routed;
  onChange: (change: Partial<Routed>) => void;
  problems: Partial<Record<keyof Routed, React.ReactNode>>;
}

/** Who decides what goes through the tunnel, and what happens to what the chosen services do not name. */
export function RoutingFields({
  entryId,
  value: { routing, restExit, exitDown, exitLink },
  onChange,
  problems,
}: Props) {
  const words = useInterfacesWords().edit;
  return (
    <>
      <div>
        <Segments
          label={words.routing}
          value={routing}
          onChange={(routing) => onChange({ routing })}
          choices={ROUTINGS.map((value) => ({ value, label: words.routings[value] }))}
        />
        <FormMessage bad={problems.routing as string | undefined} />
        <p className={classes.hint}>{words.routingHints[routing]}</p>
      </div>
      {routing === "server" && (
        <>
          <ExitField
            label={words.restExit}
            hint={words.restHints[isOwnExit(restExit) ? restExit : "other"]}
            value={restExit}
            onChange={(restExit) => onChange({ restExit })}
            error={problems.restExit}
            entryId={entryId}
          />
          <ExitDownField
            label={words.exitDown}
            value={exitDown}
            onChange={(exitDown) => onChange({ exitDown })}
            error={problems.exitDown}
            entryId={entryId}
          />
          <ExitLinkField
            label={words.exitLink}
            value={exitLink}
            onChange={(exitLink) => onChange({ exitLink })}
            error={problems.exitLink}
            entryId={entryId}
          />
        </>
      )}
    </>
  );
}
