import { moneyText } from "@krug/domain/money-text";
import { sizeText } from "../../../lib/format.ts";
import { useSpeech } from "../../../lib/i18n/use-text.tsx";
import { useSilentSince } from "../../../lib/use-availability.ts";
import { Panel } from "../../../ui/panel.tsx";
import { StaffLink } from "../../club/staff/index.ts";
import { ClubRing } from "./club-ring.tsx";
import classes from "./pulse.module.css";
import type { Pulse } from "./queries.ts";
import { Bars, Share, Wave } from "./small-pictures.tsx";
import { usePulseWords } from "./words.ts";

/** How the club is doing, to be looked at: who is connected, and three figures with their pictures. */
export function Club({ pulse }: { pulse: Pulse }) {
  const { club: words } = usePulseWords();
  const { devices } = pulse;
  const isSilent = useSilentSince() !== null;
  return (
    <Panel title={words.title}>
      <div className={classes.club}>
        <ClubRing {...devices}>
          {devices.all === 0 ? (
            <span>{words.noDevices}</span>
          ) : (
            <>
              <b>{devices.online}</b>
              <span>{isSilent ? words.wasOnline : words.online}</span>
              <span>{words.of(devices.all)}</span>
            </>
          )}
        </ClubRing>
        <ul className={classes.figures}>
          <Members members={pulse.members} />
          <TrafficFigure traffic={pulse.traffic} />
          <Revenue revenue={pulse.revenue} />
        </ul>
      </div>
    </Panel>
  );
}

interface FigureProps {
  name: string;
  value: string;
  more: string;
  /** Its screen under /admin. */
  path: string;
  /** The same, drawn. */
  children: React.ReactNode;
}

const Figure = ({ name, value, more, path, children }: FigureProps) => (
  <li>
    <StaffLink to={path} className={classes.figure}>
      <span className={classes.name}>{name}</span>
      <b>{value}</b>
      <span className={classes.more}>{more}</span>
      {children}
    </StaffLink>
  </li>
);

function Members({ members: { all, active, joined } }: Pick<Pulse, "members">) {
  const { club: words } = usePulseWords();
  const more = [
    joined > 0 ? words.joined(joined) : words.noneJoined,
    ...(all > active ? [words.blocked(all - active)] : []),
  ];
  return (
    <Figure name={words.members} value={String(all)} more={all === 1 ? words.alone : more.join(", ")} path="users">
      <Share of={active} all={all} />
    </Figure>
  );
}

function TrafficFigure({ traffic: { received, sent, steps } }: Pick<Pulse, "traffic">) {
  const { club: words } = usePulseWords();
  const { language } = useSpeech();
  const total = received + sent;
  return (
    <Figure
      name={words.traffic}
      value={sizeText(total, language)}
      more={total === 0 ? words.noTraffic : words.trafficIn}
      path="vpn"
    >
      <Wave amounts={steps.map((step) => step.received + step.sent)} />
    </Figure>
  );
}

function Revenue({ revenue }: Pick<Pulse, "revenue">) {
  const { club: words } = usePulseWords();
  const { language } = useSpeech();
  const name = new Intl.DateTimeFormat(language === "ru" ? "ru-RU" : "en-GB", { month: "long" });
  const month = (period = "") => name.format(new Date(`${period}-15T12:00:00`));
  const written = ({ cameIn = [] }: Partial<Pulse["revenue"][number]> = {}) =>
    cameIn.map(({ amount, currency }) => moneyText(amount, currency, language)).join(" + ");
  const [before, now] = revenue.slice(-2);
  // Of several currencies the picture shows the one that came in last.
  const currency = revenue.findLast(({ cameIn }) => cameIn.length > 0)?.cameIn[0]?.currency;
  const amounts = revenue.map(({ cameIn }) => Number(cameIn.find((sum) => sum.currency === currency)?.amount ?? 0));
  const more = [
    words.revenueIn(month(now?.period)),
    ...(written(before) ? [words.before(month(before?.period), written(before))] : []),
  ];
  return (
    <Figure
      name={words.revenue}
      value={written(now) || words.nothing}
      more={currency === undefined ? words.noRevenue : more.join(", ")}
      path="payments"
    >
      <Bars amounts={amounts} />
    </Figure>
  );
}
