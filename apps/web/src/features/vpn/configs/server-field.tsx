import { NativeSelect } from "@mantine/core";
import { IconChevronDown } from "@tabler/icons-react";
import { useDevices } from "../../../lib/i18n/devices.ts";
import { useSpeech } from "../../../lib/i18n/use-text.tsx";
import { Ring, type RingState } from "../../../ui/ring.tsx";
import classes from "./server-field.module.css";
import type { Lists } from "./use-new-config.ts";

type Offered = Lists["interfaces"][number];

const RINGS: Record<Offered["serverState"], RingState> = { answers: "on", busy: "warn", silent: "bad" };

export const labelOf = ({ name, serverName, tunnel }: Offered) =>
  `${serverName}: ${name}${tunnel.type === "amneziawg" ? " · AmneziaWG" : ""}`;

interface Props {
  interfaces: readonly Offered[];
  /** The id of the chosen one. */
  value: string;
  onChange: (id: string) => void;
  /** The device's current place, if it is not among the choices. */
  present?: { value: string; label: string } | undefined;
}

/** The interfaces to choose from, each with what the panel knows of its server. */
export function ServerField({ interfaces, value, onChange, present }: Props) {
  const { create, serverStates } = useDevices();
  const chosen = interfaces.find(({ id }) => id === value);
  return (
    <div className={classes.field}>
      <NativeSelect
        label={create.server}
        rightSection={<IconChevronDown size={20} stroke={1.6} aria-hidden="true" />}
        data={[
          ...(present ? [present] : []),
          ...interfaces.map((one) => ({
            value: one.id,
            label: `${labelOf(one)} (${one.reason ? whyNot(one.reason, create) : serverStates[one.serverState]})`,
            disabled: one.reason !== null,
          })),
        ]}
        value={value}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
      {chosen && <ServerStanding server={chosen} />}
    </div>
  );
}

/** Where a server is, whether it answers, and which app its devices need. */
export function ServerStanding({ server }: { server: Offered }) {
  const { amnezia, serverStates } = useDevices();
  const { language } = useSpeech();
  const { serverState, serverCountry, tunnel } = server;
  const country =
    serverCountry && new Intl.DisplayNames([language], { type: "region", fallback: "none" }).of(serverCountry);
  return (
    <>
      <p className={classes.standing} data-state={serverState}>
        <Ring state={RINGS[serverState]} size={18} />
        <span>{[country, serverStates.more[serverState]].filter(Boolean).join(", ")}</span>
      </p>
      {tunnel.type === "amneziawg" && <p className={classes.app}>{amnezia.need}</p>}
    </>
  );
}

function whyNot(
  reason: NonNullable<Offered["reason"]>,
  words: Record<"inactive" | "full" | "unready" | "closed", string>,
) {
  if (reason === "full") return words.full;
  if (reason === "server_closed") return words.closed;
  return reason === "inactive" ? words.inactive : words.unready;
}
