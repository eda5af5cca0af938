import { amneziaAppsFor } from "@krug/wireguard/amneziawg-apps";
import { Button } from "@mantine/core";
import { IconDownload, IconExternalLink, IconShare2 } from "@tabler/icons-react";
import { useState } from "react";
import { keepForTab, keptForTab } from "../../../lib/browser-storage.ts";
import { useDevices } from "../../../lib/i18n/devices.ts";
import { withApp } from "../../../lib/i18n/typography.ts";
import { mayOpenFiles } from "../../../lib/open-file.ts";
import { CLIENTS, thisSystem } from "./clients.ts";
import type { Config } from "./queries.ts";
import { appFor } from "./tunnel-app.ts";

interface Props {
  tunnel: Config["tunnel"];
  onTake: () => void;
  /** It has been taken once. */
  again: boolean;
  /** The app comes before the file. */
  app?: AppFirst;
}

/** On the phone that a config is for: first its app, then the file, by a button that says what this browser can do with it. */
export function TakeHere({ tunnel, onTake, again, app: first }: Props) {
  const app = appFor(tunnel);
  const { created, thisPhone: words } = withApp(useDevices(), app);
  if (first && first.store !== null)
    return (
      <>
        <Button
          component="a"
          href={first.store}
          target="_blank"
          rel="noreferrer"
          fullWidth
          size="lg"
          leftSection={<IconExternalLink size={20} stroke={1.6} />}
          onClick={first.note}
        >
          {words.install}
        </Button>
        <Button fullWidth size="lg" style={{ marginTop: 10 }} variant="outline" onClick={first.note}>
          {words.hasApp}
        </Button>
      </>
    );
  const opens = mayOpenFiles();
  return (
    <Button
      fullWidth
      size="lg"
      variant={again ? "outline" : "filled"}
      leftSection={opens ? <IconShare2 size={20} stroke={1.6} /> : <IconDownload size={20} stroke={1.6} />}
      onClick={onTake}
    >
      {opens ? created.open : again ? words.again : words.save}
    </Button>
  );
}

interface AppFirst {
  /** Where to get it; null once it is there, and on a phone that does not say what it is. */
  store: string | null;
  note(): void;
}

/** Whether the person says, or has just been to the store so that, the app is there; for this tab. */
export function useAppFirst(tunnel: Config["tunnel"]): AppFirst {
  const place = `krug.has-app.${appFor(tunnel)}`;
  const [noted, setNoted] = useState<string | null>(null);
  const hasApp = noted === place || keptForTab(place) !== null;
  return {
    store: hasApp ? null : storeOf(tunnel),
    note: () => {
      keepForTab(place, "yes");
      setNoted(place);
    },
  };
}

/** Where this phone gets the app; null if the phone's system is unknown. */
function storeOf({ version }: Config["tunnel"]): string | null {
  const system = thisSystem();
  if (system === null) return null;
  if (version === null) return CLIENTS[system].address;
  return amneziaAppsFor(system, version).find(({ page }) => page !== null)?.page ?? null;
}
