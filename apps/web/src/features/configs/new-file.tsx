import { Button, Textarea } from "@mantine/core";
import { IconDownload, IconKey, IconShare2 } from "@tabler/icons-react";
import { useDevices } from "../../lib/i18n/devices.ts";
import { useMemberText } from "../../lib/i18n/member.ts";
import { onThisPhone } from "../../lib/on-this-phone.ts";
import "../../ui/form.css";
import { CopyButton } from "../../ui/copy-button.tsx";
import { Sheet, SheetActions } from "../../ui/sheet.tsx";
import { Steps } from "../../ui/steps.tsx";
import { QrOf } from "./created.tsx";
import classes from "./new-file.module.css";
import type { ConfigWithText } from "./queries.ts";
import { useDownload } from "./use-download.ts";

interface Props {
  config: ConfigWithText;
  onClose: () => void;
  onReplaceKey: () => void;
}

/** After an edit that makes another file: how the device gets it, or what to change on it by hand. */
export function NewFile({ config, onClose, onReplaceKey }: Props) {
  const { editDevice: words } = useDevices();
  const done = (
    <Button size="lg" variant={config.template === null ? "subtle" : "filled"} onClick={onClose}>
      {words.done}
    </Button>
  );
  return (
    <Sheet
      opened
      onClose={onClose}
      title={words.fileTitle}
      footer={
        <SheetActions>
          {done}
          {config.template === null && <GetFile config={config} />}
        </SheetActions>
      }
    >
      <div className={classes.body}>
        {config.template === null ? (
          <FileSteps config={config} />
        ) : (
          <Lines text={config.template} onReplaceKey={onReplaceKey} />
        )}
      </div>
    </Sheet>
  );
}

const isHere = ({ deviceType }: ConfigWithText) => deviceType === "phone" && onThisPhone();

function FileSteps({ config }: { config: ConfigWithText }) {
  const { editDevice: words } = useDevices();
  const scans = config.deviceType === "phone" && !isHere(config);
  return (
    <>
      <p>{words.fileLead}</p>
      <Steps steps={[words.remove(config.name), scans ? words.byCode : words.byFile, words.turnOn]} />
      {scans && <QrOf made={{ config, text: null }} />}
    </>
  );
}

function GetFile({ config }: { config: ConfigWithText }) {
  const { created, qr } = useMemberText();
  const here = isHere(config);
  const download = useDownload(here ? "open" : "save");
  const Sign = here ? IconShare2 : IconDownload;
  return (
    <Button
      size="lg"
      leftSection={<Sign size={20} stroke={1.6} aria-hidden="true" />}
      onClick={() => download.mutate(config)}
    >
      {here ? created.open : qr.download}
    </Button>
  );
}

/** The lines of a file that services and DNS decide. */
const EDITABLE = /^(DNS|AllowedIPs) = (.*)$/gm;

function Lines({ text, onReplaceKey }: { text: string; onReplaceKey: () => void }) {
  const { editDevice: words } = useDevices();
  const { card } = useMemberText();
  return (
    <>
      <p>{words.linesLead}</p>
      <p>{words.linesDo}</p>
      {[...text.matchAll(EDITABLE)].map(([, name = "", value = ""]) => (
        <div key={name} className={classes.line}>
          <Textarea
            className={classes.value ?? ""}
            label={name}
            value={value}
            rows={value.length > 40 ? 3 : 1}
            readOnly
          />
          <CopyButton text={value} label={words.copy} />
        </div>
      ))}
      <p>{words.orKey}</p>
      <div>
        <Button
          variant="outline"
          leftSection={<IconKey size={20} stroke={1.6} aria-hidden="true" />}
          onClick={onReplaceKey}
        >
          {card.replaceKey}
        </Button>
      </div>
    </>
  );
}
