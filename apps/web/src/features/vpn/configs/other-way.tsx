import { Button } from "@mantine/core";
import { IconArrowsExchange } from "@tabler/icons-react";
import { explain } from "../../../lib/api.ts";
import { useDevices } from "../../../lib/i18n/devices.ts";
import { useMemberText } from "../../../lib/i18n/member.ts";
import { FormMessage } from "../../../ui/form-message.tsx";
import classes from "./diagnosis-dialog.module.css";
import type { Config } from "./queries.ts";
import { appFor } from "./tunnel-app.ts";
import { useOtherWay } from "./use-other-way.ts";

interface Props {
  config: Config;
  /** It is what mends the device, not one more thing to try. */
  isFix: boolean;
  /** With the file of its new place to be taken. */
  onMoved: (config: Config) => void;
  /** Only this browser's new key makes a new file where the panel has none. */
  onReplaceKey: () => void;
}

/** Offers the same device on the other kind of tunnel, where the member may use one that works. */
export function OtherWay({ config, isFix, onMoved, onReplaceKey }: Props) {
  const { otherWay: words } = useDevices();
  const { failure } = useMemberText();
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
        <FormMessage bad={moving.error && explain(moving.error, words.failed, failure.silent)} />
      </div>
    </section>
  );
}
