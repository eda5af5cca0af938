import type { Api } from "@krug/contract/api";
import { Button } from "@mantine/core";
import { IconDownload } from "@tabler/icons-react";
import { useNavigate } from "@tanstack/react-router";
import { useDevices } from "../../../lib/i18n/devices.ts";
import { useMemberText } from "../../../lib/i18n/member.ts";
import { withApp } from "../../../lib/i18n/typography.ts";
import { useLayer } from "../../../lib/layers.ts";
import { onThisPhone } from "../../../lib/on-this-phone.ts";
import form from "../../../ui/form.module.css";
import { Qr } from "../../../ui/qr.tsx";
import created from "./created.module.css";
import { ForComputer, ForPhone } from "./next-step.tsx";
import { TakeHere } from "./take-here.tsx";
import { appFor } from "./tunnel-app.ts";
import { useGive } from "./use-give.ts";
import { useOneTimeKey } from "./use-one-time-key.tsx";
import { WhereSaved } from "./where-saved.tsx";

type Handed = Api["POST /vpn/open-link"]["answer"];

/** The file behind a link, in the form that its device takes. */
export function HandedFile({ handed: { name, deviceType, tunnel, config } }: { handed: Handed }) {
  const { handed } = useDevices();
  const { qr } = withApp(useMemberText(), appFor(tunnel));
  const isPhone = deviceType === "phone";
  const isHere = isPhone && onThisPhone();
  const navigate = useNavigate();
  const { isAtRisk, close, onTaken, question } = useOneTimeKey(
    name,
    () => void navigate({ to: "/" }),
    handed.leaveText,
  );
  useLayer(isAtRisk, close);
  const { given, give } = useGive(isHere, onTaken);
  return (
    <div className={form.fields}>
      <div className={created.next}>
        {isPhone ? (
          <ForPhone code={<Qr text={config} label={qr.image(name)} app={appFor(tunnel)} />} tunnel={tunnel} />
        ) : (
          <ForComputer tunnel={tunnel} />
        )}
      </div>
      {isHere && <WhereSaved config={{ name, tunnel }} given={given} />}
      {isHere ? (
        <TakeHere tunnel={tunnel} onTake={() => void give(config, name)} again={given === "saved"} />
      ) : (
        <Button
          fullWidth
          size="lg"
          variant={isPhone ? "outline" : "filled"}
          leftSection={<IconDownload size={20} stroke={1.6} />}
          onClick={() => void give(config, name)}
        >
          {qr.download}
        </Button>
      )}
      {question}
    </div>
  );
}
