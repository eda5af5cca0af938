import { Button } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { ageText, moment } from "../../../lib/format.ts";
import { useStaffWords } from "../../../lib/i18n/staff.ts";
import { useSpeech } from "../../../lib/i18n/use-text.tsx";
import { useSilentSince } from "../../../lib/use-availability.ts";
import { useNow } from "../../../lib/use-now.ts";
import { Banner } from "../../../ui/banner.tsx";
import { type MenuAction, MoreMenu } from "../../../ui/more-menu.tsx";
import { MachineSaid, Reason } from "../../../ui/reason.tsx";
import { Ring } from "../../../ui/ring.tsx";
import { useFold } from "../../../ui/use-fold.tsx";
import { useLiveRing } from "../../../ui/use-live-ring.ts";
import { StaffLink, useMay } from "../../club/staff/index.ts";
import { DrainState } from "./drain-state.tsx";
import { BrokenLinks, type ExitLink, LinksFacts } from "./exit-links.tsx";
import { Forwarding, OpenedFact } from "./forwarding.tsx";
import { ChangedHostKey, FingerprintFact } from "./host-key.tsx";
import { LiveNumbers } from "./live-numbers.tsx";
import { NewPassword } from "./new-password.tsx";
import { type Drain, type Interface, liveQuery, type Server } from "./queries.ts";
import classes from "./servers.module.css";
import { endpointOf, RINGS, shownStatus } from "./standing.ts";
import { useServersWords } from "./words.ts";

interface Props {
  server: Server;
  interfaces: readonly Interface[] | undefined;
  /** All of the club's. */
  links: readonly ExitLink[];
  menu: readonly (readonly MenuAction[])[];
  onSetUp: () => void;
  onEdit: () => void;
  onEmpty: () => void;
  /** The latest move of its devices; null if there was none recently. */
  drain: Drain | null;
}

/** Everything known about a server: its state, its interfaces, what its machine does now. */
export function ServerCard({ server: listed, interfaces, links, menu, onSetUp, onEdit, onEmpty, drain }: Props) {
  const words = useServersWords();
  const { table } = useStaffWords();
  const { text, language } = useSpeech();
  const mayModify = useMay("servers.change");
  const nowMs = useNow(5_000);
  const isReady = listed.isSetupComplete && !listed.needsSetup;
  const live = useQuery({ ...liveQuery(listed.id), enabled: isReady });
  const server = { ...listed, stats: live.data?.stats ?? listed.stats };
  const liveRing = useLiveRing();
  const status = shownStatus(server.status, useSilentSince() !== null);
  const endpoint = endpointOf(server);
  const headingId = `server-${server.id}`;
  const fold = useFold(interfaces ?? [], (one) => one.isActive && one.conflict !== null);
  return (
    <li className={classes.card} aria-labelledby={headingId}>
      <div className={classes.head}>
        <Ring state={RINGS[status]} size={28} />
        <div className={classes.name}>
          <h2 id={headingId}>
            {server.name}
            {server.isMain && (
              <span className={classes.main} title={words.mainMore}>
                {words.main}
              </span>
            )}
          </h2>
          <p data-state={status}>
            <span>{words.states[status]}</span>
            {server.lastSync && (
              <span title={moment(Date.parse(server.lastSync), language)}>
                {" · "}
                {words.synced(ageText(Date.parse(server.lastSync), nowMs, text.age))}
              </span>
            )}
          </p>
        </div>
        <MoreMenu label={table.actions(server.name)} groups={menu} />
      </div>
      {server.shownFingerprint !== null && (
        <div className={classes.trouble}>
          <ChangedHostKey server={server} shown={server.shownFingerprint} />
        </div>
      )}
      {server.status === "error" && server.shownFingerprint === null && (
        <div className={classes.trouble}>
          <Banner
            tone="broken"
            live
            title={words.errorSince(ageText(Date.parse(server.errorSince ?? ""), nowMs, text.age))}
            {...(server.problem === "password_expired"
              ? { action: <NewPassword server={server} /> }
              : isReady && server.configCount > 0 && drain === null && mayModify
                ? {
                    action: (
                      <Button variant="outline" aria-label={words.drain.of(server.name)} onClick={onEmpty}>
                        {words.drain.action}
                      </Button>
                    ),
                  }
                : {})}
          >
            {server.problem !== null && <p>{words.problems[server.problem]}</p>}
            {server.problem === "login_refused" && server.credentials?.username === "root" && (
              <p>{words.rootRefused}</p>
            )}
            {server.why !== null &&
              (server.problem === null ? <Reason why={server.why} /> : <Said said={server.why.said} />)}
            {isReady && <p>{words.keeps}</p>}
          </Banner>
        </div>
      )}
      <Forwarding server={server} nowMs={nowMs} />
      <BrokenLinks server={server} links={links} nowMs={nowMs} />
      {server.namesUnresolved !== null && (
        <div className={classes.trouble}>
          <Banner tone="move" title={words.names.title}>
            <p>{words.names.text}</p>
            <Reason why={server.namesUnresolved} />
          </Banner>
        </div>
      )}
      {server.speedsUnlimited !== null && (
        <div className={classes.trouble}>
          <Banner tone="move" title={words.speeds.title}>
            <p>{words.speeds.text}</p>
            <Reason why={server.speedsUnlimited} />
          </Banner>
        </div>
      )}
      {server.unfit !== null && (
        <div className={classes.trouble}>
          <Banner tone="broken" title={words.cannotBe}>
            <p>{words.unfit[server.unfit.failure]}</p>
            <Said said={server.unfit.detail} />
          </Banner>
        </div>
      )}
      {server.status === "silent" && (
        <div className={classes.trouble}>
          <Banner tone="move" title={words.silentMore} />
        </div>
      )}
      <DrainState server={server} drain={drain} />
      {server.needsSetup && (
        <div className={classes.setUp}>
          <p>{words.notSetUp}</p>
          {/* A machine with another key is not contacted until the key is accepted. */}
          {server.shownFingerprint === null && (
            <Button aria-label={words.setUpServer(server.name)} onClick={onSetUp}>
              {words.setUp}
            </Button>
          )}
        </div>
      )}
      {isReady && endpoint === null && (
        <div className={classes.setUp}>
          <p>{words.endpointAsked}</p>
          <Button aria-label={words.setEndpointOf(server.name)} onClick={onEdit}>
            {words.setEndpoint}
          </Button>
        </div>
      )}
      {isReady && <LiveNumbers server={server} live={live} nowMs={nowMs} />}
      <dl className={classes.facts}>
        {isReady && (
          <div>
            <dt>{words.peers}</dt>
            <dd>
              {words.peersOf(server.configCount, server.capacity)}
              <span>{words.peersOnWire(server.peerCount)}</span>
            </dd>
          </div>
        )}
        <div>
          <dt>{words.endpoint}</dt>
          <dd>
            {endpoint === null ? (
              <span data-warn>{words.endpointNone}</span>
            ) : (
              <>
                <code>{endpoint}</code>
                {server.endpoint === null && <span>{words.endpointDefault}</span>}
              </>
            )}
          </dd>
        </div>
        {isReady && (
          <div>
            <dt>{words.address}</dt>
            <dd>
              {server.stats?.ip_address ? <code>{server.stats.ip_address}</code> : "—"}
              {server.stats?.geolocation && <span>{countryName(server.stats.geolocation, language)}</span>}
            </dd>
          </div>
        )}
        <div>
          <dt>{words.assigned}</dt>
          <dd>{words.assignedTo(server.assignedCount)}</dd>
        </div>
        {server.credentials && (
          <div>
            <dt>{words.login}</dt>
            <dd>
              <code>{loginOf(server.credentials)}</code>
            </dd>
          </div>
        )}
        <LinksFacts server={server} links={links} />
        {server.opensForwarding && (
          <div>
            <dt>{words.forwarding.fact}</dt>
            <dd>
              <OpenedFact server={server} />
            </dd>
          </div>
        )}
        {server.system !== null && (
          <div>
            <dt>{words.system}</dt>
            <dd>{server.system}</dd>
          </div>
        )}
        {isReady && server.tunnelsIn !== null && (
          <div>
            <dt>{words.tunnelsIn}</dt>
            <dd>{words.places[server.tunnelsIn]}</dd>
          </div>
        )}
        {server.fingerprint !== null && (
          <div>
            <dt>{words.fingerprint}</dt>
            <dd>
              <FingerprintFact fingerprint={server.fingerprint} />
            </dd>
          </div>
        )}
      </dl>
      {isReady && interfaces && (
        <div className={classes.interfaces}>
          <div className={classes.interfacesHead}>
            <h3>
              {words.interfaces}
              <span>{interfaces.length}</span>
            </h3>
            <StaffLink to="interfaces" search={{ server: server.id }} className={classes.link}>
              {words.toInterfaces}
              <span className="k-spoken">{`: ${words.interfaces}, ${server.name}`}</span>
            </StaffLink>
          </div>
          {interfaces.length === 0 && <p className={classes.quiet}>{words.noInterfaces}</p>}
          <ul>
            {fold.shown.map((one) => (
              <li key={one.id}>
                <Ring state={liveRing(stateOf(one, server))} size={20} />
                <span className={classes.interfaceName}>
                  {one.name}
                  <code>
                    {one.interfaceName} :{one.listenPort}
                  </code>
                </span>
                <span className={classes.much}>{words.peersOf(one.configCount, one.capacity)}</span>
              </li>
            ))}
          </ul>
          {fold.more}
        </div>
      )}
    </li>
  );
}

/** The machine's own words, which are more exact than the panel's. */
function Said({ said }: { said: string | null }) {
  const words = useServersWords();
  if (said === null) return null;
  return (
    <>
      <span className="k-spoken">{`${words.said}: `}</span>
      <MachineSaid said={said} />
    </>
  );
}

const loginOf = ({ host, port, username }: NonNullable<Server["credentials"]>) =>
  `${username}@${host.includes(":") ? `[${host}]` : host}:${port}`;

const countryName = (code: string, language: string): string =>
  new Intl.DisplayNames(language, { type: "region" }).of(code) ?? code;

const stateOf = ({ isActive, conflict }: Interface, { status }: Server) =>
  !isActive ? "idle" : conflict !== null ? "bad" : status === "connected" ? "on" : "wait";
