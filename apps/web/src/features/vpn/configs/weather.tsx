import { clock } from "../../../lib/format.ts";
import { useDevices } from "../../../lib/i18n/devices.ts";
import { Banner } from "../../../ui/banner.tsx";
import classes from "./devices.module.css";
import type { Config } from "./queries.ts";

/** One line about the member's servers: which do not answer, and since when. */
export function Weather({ configs }: { configs: readonly Config[] }) {
  const { weather } = useDevices();
  const away = new Map<string, { name: string; since: number }>();
  for (const { serverId, serverName, serverAwaySince } of configs)
    if (serverAwaySince !== null) away.set(serverId, { name: serverName, since: Date.parse(serverAwaySince) });
  const servers = [...away.values()].sort((a, b) => a.since - b.since);
  const [first] = servers;
  return (
    <div role="status">
      {first && (
        <div className={classes.weather}>
          <Banner
            tone="broken"
            title={weather.title(
              servers.map(({ name }) => name),
              clock(first.since),
            )}
          >
            {weather.more}
          </Banner>
        </div>
      )}
    </div>
  );
}
