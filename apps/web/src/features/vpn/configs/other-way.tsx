import { Button } from "@mantine/core";
import { IconArrowsExchange } from "@tabler/icons-react";
import { useDevices } from "../../../lib/i18n/devices.ts";
import { FormMessage } from "../../../ui/form-message.tsx";
import classes from "./diagnosis-dialog.module.css";
import type { Config } from "./queries.ts";
import { appFor } from "./tunnel-app.ts";
import { useOtherWay } from "./use-other-way.ts";

interface Props {
  config: Config;
  /** It fixes the device, instead of being one more thing to try. */
  isFix: boolean;
  /** Called with the moved config, whose new file is to be downloaded. */
  onMoved: (config: Config) => void;
  /** If the panel has no file, only a new key of this browser makes one. */
  onReplaceKey: () => void;
}

/** Offers the same device on the other kind of tunnel, if the member may use one that works. */
export function OtherWay({ config, isFix, onMoved, onReplaceKey }: Props) {
  const { otherWay: words } = useDevices();
  const { target, moving } = useOtherWay(config, (moved) =>
    moved.keyOrigin === "browser" ? onReplaceKey() : onMoved(moved),
  );
  if (target === null) return null;
  return (
    <section aria-labelledby="other-way">
      <h3 id="other-way" className={classes.title}>
        {words.title}
      </h3>
      <div className={classes.way}>
        <p>{target.tunnel.type === "amneziawg" ? words.toAmneziawg : words.toWireguard}</p>
        <p>{words.stays}</p>
        <Button
          variant={isFix ? "filled" : "outline"}
          loading={moving.isPending}
          leftSection={<IconArrowsExchange size={20} stroke={1.6} />}
          onClick={() => moving.mutate(target.id)}
        >
          {moving.isPending ? words.working : words.take(appFor(target.tunnel))}
        </Button>
        <FormMessage error={moving.error} failed={words.failed} />
      </div>
    </section>
  );
}
