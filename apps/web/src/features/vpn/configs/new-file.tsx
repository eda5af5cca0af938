import { MINUTE_MS } from "@krug/domain/moment";
import { Button, Textarea } from "@mantine/core";
import { IconDownload, IconKey, IconShare2 } from "@tabler/icons-react";
import { clock, longDay } from "../../../lib/format.ts";
import { useDevices } from "../../../lib/i18n/devices.ts";
import { useMemberText } from "../../../lib/i18n/member.ts";
import { withApp } from "../../../lib/i18n/typography.ts";
import { useSpeech } from "../../../lib/i18n/use-text.tsx";
import { onThisPhone } from "../../../lib/on-this-phone.ts";
import { mayOpenFiles, openFile } from "../../../lib/open-file.ts";
import { useNow } from "../../../lib/use-now.ts";
import "../../../ui/form.css";
import { CopyButton } from "../../../ui/copy-button.tsx";
import { Sheet, SheetActions } from "../../../ui/sheet.tsx";
import { Steps } from "../../../ui/steps.tsx";
import { QrOf } from "./created.tsx";
import classes from "./new-file.module.css";
import type { ConfigWithText } from "./queries.ts";
import { appFor } from "./tunnel-app.ts";
import { useDownload } from "./use-download.ts";
import { WhereSaved } from "./where-saved.tsx";

interface Props {
  config: ConfigWithText;
  /** The tunnel's name on the device, which still has the earlier file. */
  nameThere: string;
  /** It is on another interface than before. */
  hasMoved: boolean;
  onClose: () => void;
  onReplaceKey: () => void;
}

/** After an edit that changes the file: how the device gets it, or what to change on it by hand. */
export function NewFile({ config, nameThere, hasMoved, onClose, onReplaceKey }: Props) {
  const { editDevice: words } = useDevices();
  const done = (
    <Button size="lg" variant={config.template === null ? "subtle" : "filled"} onClick={onClose}>
      {words.done}
    </Button>
  );
  return (
    <Sheet
      onClose={onClose}
      title={words.fileTitle}
      footer={
        config.template === null ? <GetFile config={config}>{done}</GetFile> : <SheetActions>{done}</SheetActions>
      }
    >
      <div className={classes.body}>
        {config.template === null ? (
          <FileSteps config={config} nameThere={nameThere} />
        ) : (
          <Lines config={config} text={config.template} hasMoved={hasMoved} onReplaceKey={onReplaceKey} />
        )}
      </div>
    </Sheet>
  );
}

const isHere = ({ deviceType }: ConfigWithText) => deviceType === "phone" && onThisPhone();

function FileSteps({ config, nameThere }: { config: ConfigWithText; nameThere: string }) {
  const { editDevice: words } = withApp(useDevices(), appFor(config.tunnel));
  const scans = config.deviceType === "phone" && !isHere(config);
  return (
    <>
      {config.moving ? <UntilWhen config={config} /> : <p>{words.fileLead}</p>}
      <Steps steps={[words.remove(nameThere), scans ? words.byCode : words.byFile, words.turnOn]} />
      {scans && <QrOf made={{ config, text: null }} />}
    </>
  );
}

/** `children`: the button that closes the dialog, next to it. */
function GetFile({ config, children }: { config: ConfigWithText; children: React.ReactNode }) {
  const { qr } = withApp(useMemberText(), appFor(config.tunnel));
  const { created } = withApp(useDevices(), appFor(config.tunnel));
  const here = isHere(config);
  const download = useDownload(here ? openFile : undefined);
  const Sign = here && mayOpenFiles() ? IconShare2 : IconDownload;
  return (
    <>
      {here && <WhereSaved config={config} given={download.data} />}
      <SheetActions>
        {children}
        <Button
          size="lg"
          leftSection={<Sign size={20} stroke={1.6} aria-hidden="true" />}
          onClick={() => download.mutate(config)}
        >
          {here && mayOpenFiles() ? created.open : qr.download}
        </Button>
      </SheetActions>
    </>
  );
}

/** How long the place that a device leaves continues to work. */
function UntilWhen({ config: { moving } }: { config: ConfigWithText }) {
  const { editDevice: words } = useDevices();
  const { language } = useSpeech();
  const nowMs = useNow(MINUTE_MS);
  if (moving === null) return null;
  const end = new Date(moving.until);
  return <p>{words.movedLead(clock(end.getTime()), longDay(end, nowMs, language))}</p>;
}

/** The lines of a file that depend on services and DNS, and those that differ on another server. */
const EDITABLE = /^(DNS|AllowedIPs) = (.*)$/gm;
const OF_A_SERVER = /^((?!PrivateKey|PersistentKeepalive)\w+) = (.*)$/gm;

interface LinesProps {
  config: ConfigWithText;
  text: string;
  hasMoved: boolean;
  onReplaceKey: () => void;
}

function Lines({ config, text, hasMoved, onReplaceKey }: LinesProps) {
  const { editDevice: words } = withApp(useDevices(), appFor(config.tunnel));
  const { card } = useMemberText();
  return (
    <>
      <p>{words.linesLead}</p>
      <UntilWhen config={config} />
      <p>{words.linesDo}</p>
      {[...text.matchAll(hasMoved ? OF_A_SERVER : EDITABLE)].map(([, name = "", value = ""]) => (
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
