import { Button } from "@mantine/core";
import { IconDownload, IconMessageCircle, IconRefresh } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { ApiError, explain } from "../../../lib/api.ts";
import { secondsClock } from "../../../lib/format.ts";
import { useDevices } from "../../../lib/i18n/devices.ts";
import { useMemberText } from "../../../lib/i18n/member.ts";
import { withApp } from "../../../lib/i18n/typography.ts";
import { useSpeech } from "../../../lib/i18n/use-text.tsx";
import { onThisPhone } from "../../../lib/on-this-phone.ts";
import { Banner } from "../../../ui/banner.tsx";
import { Ring } from "../../../ui/ring.tsx";
import { Sheet, SheetBody, SheetFooter } from "../../../ui/sheet.tsx";
import { StatusStrip } from "../../../ui/status-strip.tsx";
import { Steps } from "../../../ui/steps.tsx";
import { OtherWays } from "../../access/security-gate/index.ts";
import { AmneziaLinks } from "./amnezia-links.tsx";
import { ClientLinks } from "./client-links.tsx";
import { CLIENTS, SYSTEMS } from "./clients.ts";
import { CreatedDialog } from "./created-dialog.tsx";
import classes from "./diagnosis-dialog.module.css";
import {
  CAUSE_RING,
  type Fix,
  factsOf,
  failedReportOf,
  fixOf,
  mayHaveOldApp,
  reportOf,
  stepsOf,
} from "./diagnosis-words.ts";
import { systemsOf } from "./next-step.tsx";
import { OtherWay } from "./other-way.tsx";
import { type Config, type Diagnosis, diagnosisQuery, isGone } from "./queries.ts";
import { appFor } from "./tunnel-app.ts";
import { useDownload } from "./use-download.ts";
import { useOtherWay } from "./use-other-way.ts";
import { WhereSaved } from "./where-saved.tsx";

interface Props {
  config: Config;
  onClose: () => void;
  /** Opens a message to support with this text. */
  onAskSupport: (text: string) => void;
  /** Opens the question about a new key, instead of this dialog. */
  onReplaceKey: () => void;
  /** Opens payment, instead of this dialog. */
  onPay: () => void;
}

/** The club lets the device in, but it does not connect. */
const NOT_CONNECTED: ReadonlySet<Diagnosis["cause"]> = new Set([
  "interface_off",
  "server_away",
  "tunnel_down",
  "tunnel_blocked",
  "never_connected",
  "udp_blocked",
  "switched_off",
]);

/** 'Не работает?': the likely cause, what to do now, and what the club sees. It checks again by itself. */
export function DiagnosisDialog({ config, onClose, onAskSupport, onReplaceKey, onPay }: Props) {
  const { diagnosis: words } = useDevices();
  const text = useMemberText();
  const { language } = useSpeech();
  const check = useQuery(diagnosisQuery(config.id));
  const seen = check.isError ? undefined : check.data;
  const [byHand, setByHand] = useState(false);
  const [moved, setMoved] = useState<Config | null>(null);
  const download = useDownload();
  const { target } = useOtherWay(config, setMoved);
  const fix = seen && fixOf(seen.cause, config, target !== null);
  // It checks again by itself: the thumb's place is for the button that fixes it.
  const isMendedHere = fix === "pay" || fix === "key" || fix === "file";
  const speech = { words, text, language };
  // The panel answers, so support can be reached, also without the check's result.
  const isAnswered = check.error instanceof ApiError && !isGone(check.error);
  const report = seen ? reportOf(config, seen, speech) : isAnswered ? failedReportOf(config, speech) : null;
  const isHere = config.deviceType === "phone" && onThisPhone();
  const again = async () => {
    setByHand(true);
    await check.refetch();
    setByHand(false);
  };
  if (moved) return <CreatedDialog made={{ config: moved, text: null }} onClose={onClose} />;
  return (
    <Sheet
      onClose={onClose}
      title={words.title(config.name)}
      parts={
        <>
          <SheetBody reading>
            {check.isError ? (
              <Failed error={check.error} />
            ) : seen ? (
              <Findings config={config} seen={seen} fix={fix} onMoved={setMoved} onReplaceKey={onReplaceKey}>
                {isHere && <WhereSaved config={config} given={download.data} />}
              </Findings>
            ) : (
              <div className={classes.wait} role="status" aria-label={words.checking}>
                <Ring state="wait" size={40} />
              </div>
            )}
          </SheetBody>
          <SheetFooter>
            <div className={classes.actions}>
              {fix === "pay" && (
                <Button size="lg" className={classes.fix ?? ""} onClick={onPay}>
                  {text.dashboard.payMore}
                </Button>
              )}
              {fix === "key" && (
                <Button size="lg" className={classes.fix ?? ""} onClick={onReplaceKey}>
                  {text.card.replaceKey}
                </Button>
              )}
              {fix === "file" && (
                <Button
                  size="lg"
                  className={classes.fix ?? ""}
                  leftSection={
                    download.isPending ? <Ring state="wait" size={20} /> : <IconDownload size={20} stroke={1.6} />
                  }
                  onClick={() => !download.isPending && download.mutate(config)}
                >
                  {words.download}
                </Button>
              )}
              {!isGone(check.error) && !isMendedHere && (
                <Button
                  size="lg"
                  variant={fix === "again" ? "filled" : "outline"}
                  leftSection={byHand ? <Ring state="wait" size={20} /> : <IconRefresh size={20} stroke={1.6} />}
                  onClick={() => !byHand && void again()}
                >
                  {byHand ? words.checking : words.again}
                </Button>
              )}
              {report !== null && (
                <Button
                  size="lg"
                  variant={fix === "support" ? "filled" : "outline"}
                  leftSection={<IconMessageCircle size={20} stroke={1.6} />}
                  onClick={() => onAskSupport(report)}
                >
                  {words.ask}
                </Button>
              )}
            </div>
          </SheetFooter>
        </>
      }
    />
  );
}

interface FindingsProps extends Pick<Props, "config" | "onReplaceKey"> {
  seen: Diagnosis;
  fix: Fix | undefined;
  onMoved: (config: Config) => void;
  /** Shown below what to do. */
  children: React.ReactNode;
}

function Findings({ config, seen, fix, onMoved, onReplaceKey, children }: FindingsProps) {
  const { diagnosis: words } = withApp(useDevices(), appFor(config.tunnel));
  const text = useMemberText();
  const { language } = useSpeech();
  const cause = words.causes[seen.cause];
  return (
    <div className={classes.findings}>
      <StatusStrip ring={CAUSE_RING[seen.cause]} title={cause.title}>
        {cause.why}
      </StatusStrip>
      <section aria-labelledby="what-to-do">
        <h3 id="what-to-do" className={classes.title}>
          {words.whatToDo}
        </h3>
        <Steps steps={stepsOf(seen.cause, config, words)} />
        {mayHaveOldApp(seen.cause, config) && (
          <AmneziaLinks systems={allSystemsOf(config)} version={config.tunnel.version} />
        )}
        {seen.cause === "never_connected" && config.tunnel.version === null && (
          <ClientLinks systems={systemsOf(config.deviceType === "phone")} />
        )}
        {children}
      </section>
      {NOT_CONNECTED.has(seen.cause) && (
        <OtherWay config={config} isFix={fix === "way"} onMoved={onMoved} onReplaceKey={onReplaceKey} />
      )}
      <section aria-labelledby="what-we-see">
        <h3 id="what-we-see" className={classes.title}>
          {words.whatWeSee}
        </h3>
        <dl className={classes.facts}>
          {factsOf(seen, { words, text, language }, true).map(([name, value]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
        <p className={classes.age}>{words.checkedAt(secondsClock(Date.parse(seen.checkedAt)))}</p>
      </section>
    </div>
  );
}

const allSystemsOf = ({ deviceType }: Config) =>
  SYSTEMS.filter((system) => CLIENTS[system].phone === (deviceType === "phone"));

function Failed({ error }: { error: Error }) {
  const { diagnosis: words } = useDevices();
  const { failure } = useSpeech().text;
  return (
    <Banner tone="broken" live title={words.failed}>
      {isGone(error) ? words.gone : explain(error, failure.noApi, failure.silent)}
      {!(error instanceof ApiError) && <OtherWays />}
    </Banner>
  );
}
