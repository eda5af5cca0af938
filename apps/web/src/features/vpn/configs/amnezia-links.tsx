import { type AmneziaApp, amneziaAppsFor } from "@krug/wireguard/amneziawg-apps";
import { Button } from "@mantine/core";
import { IconExternalLink, IconLink } from "@tabler/icons-react";
import { useState } from "react";
import { api } from "../../../lib/api.ts";
import { useDevices } from "../../../lib/i18n/devices.ts";
import { useCommand } from "../../../lib/use-command.ts";
import { CopyButton } from "../../../ui/copy-button.tsx";
import { FormMessage } from "../../../ui/form-message.tsx";
import { Hint } from "../../../ui/hint.tsx";
import { CLIENTS, type System, thisSystem } from "./clients.ts";
import classes from "./guide.module.css";
import type { Config } from "./queries.ts";

type Version = NonNullable<Config["tunnel"]["version"]>;

/** Which apps open this device's file, and from which version on: an older one fails silently. */
export function AmneziaLinks({ systems, version }: { systems: readonly System[]; version: Version }) {
  const { amnezia } = useDevices();
  const isOfComputers = systems.some((system) => !CLIENTS[system].phone);
  // The user agent shows neither.
  const platforms = [...systems, ...(isOfComputers ? (["linux", "router"] as const) : [])];
  const nameOf = (platform: (typeof platforms)[number]) =>
    platform === "linux" || platform === "router" ? amnezia[platform] : CLIENTS[platform].name;
  return (
    <div className={classes.apps}>
      <p>{amnezia.need}</p>
      {platforms.flatMap((platform) =>
        amneziaAppsFor(platform, version).map((app) => (
          <AppLink key={`${app.name} ${platform}`} app={app} name={nameOf(platform)} version={version} />
        )),
      )}
      <Hint>{amnezia.newEnough}</Hint>
    </div>
  );
}

function AppLink({ app, name, version }: { app: AmneziaApp; name: string; version: Version }) {
  const { amnezia } = useDevices();
  const words = amnezia.get(app.name, name, app.since[version] ?? "");
  if (app.page === null) return <p>{words}</p>;
  return (
    <a className={`${classes.client} k-focus`} href={app.page} target="_blank" rel="noreferrer">
      {words}
      <IconExternalLink size={18} stroke={1.6} aria-hidden="true" />
    </a>
  );
}

/** The same as a link for AmneziaVPN. It holds the key, so it is only fetched on demand. */
export function AmneziaLink({ id }: { id: string }) {
  const { amnezia } = useDevices();
  const [link, setLink] = useState<string | null>(null);
  const asking = useCommand({
    mutationFn: () => api("GET /vpn/configs/{id}/link", { params: { id } }),
    onSuccess: (answer) => setLink(answer.link),
  });
  return (
    <div className={classes.link}>
      <p>{amnezia.orLink}</p>
      {link === null ? (
        <Button
          variant="outline"
          loading={asking.isPending}
          leftSection={<IconLink size={20} stroke={1.6} />}
          onClick={() => asking.mutate()}
        >
          {amnezia.makeLink}
        </Button>
      ) : (
        <>
          {/* Only Android passes such an address to the app. */}
          {thisSystem() === "android" && (
            <Button component="a" href={link} leftSection={<IconLink size={20} stroke={1.6} />}>
              {amnezia.openLink}
            </Button>
          )}
          <CopyButton text={link} label={amnezia.copyLink} />
        </>
      )}
      <FormMessage error={asking.error} failed={amnezia.linkFailed} />
    </div>
  );
}
