import { Button } from "@mantine/core";
import { useEffect, useRef } from "react";
import { useSpeech, useText } from "../../../lib/i18n/use-text.tsx";
import { Notice } from "../../../ui/notice.tsx";
import { Ring } from "../../../ui/ring.tsx";
import { usePageTitle } from "../../../ui/use-page-title.ts";
import { type GateState, gate } from "./gate.ts";
import classes from "./gate-screen.module.css";
import { OtherWays } from "./other-ways.tsx";
import type { Place } from "./place.ts";
import { SupportContact } from "./support-contact.tsx";
import { useGateWords } from "./words.ts";

/** In front of the application until the visitor may see it (specification, member's side 2). */
export function GateScreen({ state }: { state: Exclude<GateState, { at: "open" | "asking" }> }) {
  if (state.at === "checking") return <Checking confirmed={state.confirmed} place={state.place} />;
  return <Stopped state={state} />;
}

function Checking({ confirmed, place }: { confirmed: number; place: Place | null }) {
  const text = useGateWords();
  const { language } = useSpeech();
  usePageTitle(text.title);
  const rows = [
    { asking: text.askingPlace, done: text.place, more: place && describe(place, language) },
    { asking: text.askingAddress, done: text.address, more: null },
    { asking: text.askingVpn, done: text.vpn, more: null },
  ];
  return (
    <main className={classes.page}>
      <span className={classes.rings}>
        <Ring state={confirmed === rows.length ? "on" : "wait"} size={88} />
        <span className={classes.inner}>{confirmed < rows.length && <Ring state="wait" size={48} />}</span>
      </span>
      <h1 className={classes.title}>{text.title}</h1>
      <p className={classes.lead}>{text.lead}</p>
      <ul className={classes.rows} aria-live="polite">
        {rows.map(({ asking, done, more }, index) => (
          <li key={done} className={classes.row} data-done={index < confirmed}>
            <Ring state={index < confirmed ? "done" : index === confirmed ? "wait" : "never"} size={24} />
            <span>
              {index < confirmed ? done : asking}
              {index < confirmed && more && <span className={classes.more}>{more}</span>}
            </span>
          </li>
        ))}
      </ul>
    </main>
  );
}

/** 'Россия, Москва, Europe/Moscow': the country in the reader's language, the rest in the service's words. */
function describe({ country, countryName, city, timeZone }: Place, language: string) {
  const name = new Intl.DisplayNames([language], { type: "region", fallback: "none" }).of(country) ?? countryName;
  return [name ?? country, city, timeZone].filter((part) => part !== null).join(", ");
}

function Stopped({ state }: { state: Extract<GateState, { at: "denied" | "silent" | "failed" }> }) {
  const text = useGateWords();
  const { crash, common } = useText();
  const words = wordsOf(state, text, crash);
  usePageTitle(words.title);
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => place.current?.querySelector<HTMLElement>("h1")?.focus(), []);
  return (
    <div ref={place}>
      <Notice ring="bad" title={words.title} lead={words.lead} alert>
        {state.at === "silent" && <OtherWays />}
        {words.door && (
          <div className={classes.door}>
            <p>{words.door}</p>
            <SupportContact />
          </div>
        )}
        <Button size="lg" variant={state.at === "denied" ? "outline" : "filled"} onClick={gate.again}>
          {state.at === "denied" ? text.again : common.retry}
        </Button>
      </Notice>
    </div>
  );
}

type Text = ReturnType<typeof useText>;

function wordsOf(
  state: Extract<GateState, { at: "denied" | "silent" | "failed" }>,
  text: ReturnType<typeof useGateWords>,
  crash: Text["crash"],
): { title: string; lead: string; door?: string } {
  if (state.at === "silent") return { title: crash.silentTitle, lead: crash.silentLead };
  if (state.at === "failed") return { title: text.failed, lead: text.failedLead };
  return state.why === "region"
    ? { title: text.region, lead: text.unmet, door: text.regionDoor }
    : { title: text.vpnDenied, lead: text.unmet, door: text.vpnDoor };
}
