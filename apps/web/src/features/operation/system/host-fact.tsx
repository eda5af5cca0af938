import { CopyButton } from "../../../ui/copy-button.tsx";
import { Reason } from "../../../ui/reason.tsx";
import type { RingState } from "../../../ui/ring.tsx";
import type { SystemState } from "./queries.ts";
import classes from "./system.module.css";
import { useSystemWords } from "./words.ts";

type Props = Pick<SystemState, "local">;

/** Nothing is wrong there: the problems are what a faster kind of tunnel needs. */
const isByEngineAlone = ({ why, backend }: SystemState["local"]) => why === null && backend === "netstack";

export function hostRing(local: SystemState["local"]): RingState {
  if (isByEngineAlone(local)) return "done";
  return local.why !== null ? "never" : local.problems.length > 0 ? "warn" : "done";
}

/** The panel's host: how it runs tunnels, or why it does not, and what may go wrong there. */
export function HostAbout({ local }: Props) {
  const { state: words } = useSystemWords();
  const { backend, why, problems, install } = local;
  if (isByEngineAlone(local)) return <ByEngineAlone local={local} />;
  const reasons = why === null ? problems.map((problem) => problem.why) : [why];
  return (
    <>
      {why !== null || backend === null ? words.localOff : words.localOn[backend]}
      {reasons.map((each) => (
        <small key={each.en}>
          <Reason why={each} />
        </small>
      ))}
      {install !== null && <InstallLine line={install} />}
    </>
  );
}

/** What a faster kind needs, each in its own words, the packages as one line to copy. */
function ByEngineAlone({ local: { problems, install } }: Props) {
  const { state: words } = useSystemWords();
  const known: Readonly<Record<string, string>> = words.localFaster;
  const others = problems.filter(({ code }) => code !== "no_programs" && (code !== "no_nftables" || install === null));
  return (
    <>
      {words.localOn.netstack}
      {others.map(({ code, why }) => (
        <small key={code}>{known[code] ?? <Reason why={why} />}</small>
      ))}
      {install !== null && (
        <>
          <small>{words.localInstall}</small>
          <InstallLine line={install} />
        </>
      )}
      <small>{words.localKeeps}</small>
    </>
  );
}

const InstallLine = ({ line }: { line: string }) => (
  <span className={classes.line}>
    <code>
      {/* Breaks only between words, so that it can be typed. */}
      {line.split(" ").map((word) => (
        <span key={word}>{word} </span>
      ))}
    </code>
    <CopyButton text={line} variant="subtle" size="compact-sm" data-flush="always" />
  </span>
);
