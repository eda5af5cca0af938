import { Button } from "@mantine/core";
import { IconDownload } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useMemberText } from "../../../lib/i18n/member.ts";
import { withApp } from "../../../lib/i18n/typography.ts";
import { lazyPart } from "../../../ui/lazy.tsx";
import { LoadFailed } from "../../../ui/load-failed.tsx";
import { Qr } from "../../../ui/qr.tsx";
import { Ring } from "../../../ui/ring.tsx";
import { Sheet } from "../../../ui/sheet.tsx";
import classes from "./qr-dialog.module.css";
import { type Config, qrTextQuery } from "./queries.ts";
import { appFor } from "./tunnel-app.ts";
import { useDownload } from "./use-download.ts";

const Commands = lazyPart(() => import("./commands.tsx").then(({ Commands }) => Commands));

export function QrDialog({ config, onClose }: { config: Config; onClose: () => void }) {
  const { qr, common } = withApp(useMemberText(), appFor(config.tunnel));
  const { data, error, refetch } = useQuery(qrTextQuery(config.id));
  const download = useDownload();
  return (
    <Sheet
      onClose={onClose}
      title={qr.title}
      footer={
        <Button
          fullWidth
          size="lg"
          variant="outline"
          leftSection={download.isPending ? <Ring state="wait" size={20} /> : <IconDownload size={20} stroke={1.6} />}
          onClick={() => !download.isPending && download.mutate(config)}
        >
          {qr.download}
        </Button>
      }
    >
      <div className={classes.body}>
        {error ? (
          <LoadFailed title={qr.failed} error={error} onRetry={() => void refetch()} />
        ) : (
          <>
            <p style={{ textAlign: "center" }}>{qr.hint}</p>
            {data ? (
              <Qr text={data} label={qr.image(config.name)} app={appFor(config.tunnel)} />
            ) : (
              <div className={classes.wait} role="status" aria-label={common.loading}>
                <Ring state="wait" size={40} />
              </div>
            )}
            <Commands made={{ config, text: null }} />
          </>
        )}
      </div>
    </Sheet>
  );
}
