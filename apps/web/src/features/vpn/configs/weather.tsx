import { sinceText } from "../../../lib/format.ts";
import { useDevices } from "../../../lib/i18n/devices.ts";
import { useSpeech } from "../../../lib/i18n/use-text.tsx";
import { Banner } from "../../../ui/banner.tsx";
import classes from "./devices.module.css";
import type { Config } from "./queries.ts";

/** One line about the member's servers: which do not answer, and since when. */
export function Weather({ configs, nowMs }: { configs: readonly Config[]; nowMs: number }) {
  const { language } = useSpeech();
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
              sinceText(first.since, nowMs, language),
            )}
          >
            {weather.more}
          </Banner>
        </div>
      )}
    </div>
  );
}
