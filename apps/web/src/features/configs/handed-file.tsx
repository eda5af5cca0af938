import type { Api } from "@krug/contract/api";
import { Button } from "@mantine/core";
import { IconDownload, IconShare2 } from "@tabler/icons-react";
import { useState } from "react";
import { useMemberText } from "../../lib/i18n/member.ts";
import { onThisPhone } from "../../lib/on-this-phone.ts";
import { openFile, saveFile } from "../../lib/save-file.ts";
import { useStay } from "../../lib/use-stay.ts";
import form from "../../ui/form.module.css";
import { Qr } from "../../ui/qr.tsx";
import created from "./created.module.css";
import { ForComputer, ForPhone } from "./next-step.tsx";

type Handed = Api["POST /vpn/open-link"]["answer"];

/** The file that a link handed over, as its device takes it. */
export function HandedFile({ handed: { name, deviceType, config } }: { handed: Handed }) {
  const { created: words, qr } = useMemberText();
  const isPhone = deviceType === "phone";
  const isHere = isPhone && onThisPhone();
  const give = isHere ? openFile : saveFile;
  const [isTaken, setIsTaken] = useState(false);
  useStay(!isTaken);
  return (
    <div className={form.fields}>
      <div className={created.next}>
        {isPhone ? <ForPhone code={<Qr text={config} label={qr.image(name)} />} /> : <ForComputer />}
      </div>
      <Button
        fullWidth
        size="lg"
        variant={isPhone && !isHere ? "outline" : "filled"}
        leftSection={isHere ? <IconShare2 size={20} stroke={1.6} /> : <IconDownload size={20} stroke={1.6} />}
        onClick={() => {
          setIsTaken(true);
          void give(new Blob([config], { type: "application/octet-stream" }), `${name}.conf`);
        }}
      >
        {isHere ? words.open : qr.download}
      </Button>
    </div>
  );
}
