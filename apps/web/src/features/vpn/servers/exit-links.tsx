import type { Api } from "@krug/contract/api";
import { ageText } from "../../../lib/format.ts";
import { useSpeech } from "../../../lib/i18n/use-text.tsx";
import { Banner } from "../../../ui/banner.tsx";
import { Reason } from "../../../ui/reason.tsx";
import type { Server } from "./queries.ts";
import classes from "./servers.module.css";
import { useServersWords } from "./words.ts";

export type ExitLink = Api["GET /admin/exits"]["answer"]["links"][number];

/** The links by which a server's traffic should leave and does not: what to open, and where. */
export function BrokenLinks({ server, links, nowMs }: { server: Server; links: readonly ExitLink[]; nowMs: number }) {
  const { links: words } = useServersWords();
  const { text } = useSpeech();
  return links
    .filter(({ entryId, state }) => entryId === server.id && state !== "up")
    .map(({ exitId, exitName, state, downSince, problems, port }) => (
      <div className={classes.trouble} key={exitId}>
        <Banner
          tone={state === "down" ? "broken" : "move"}
          live
          title={state === "down" ? words.down(exitName) : words.making(exitName)}
        >
          {state === "down" && <p>{words.since(ageText(Date.parse(downSince ?? ""), nowMs, text.age))}</p>}
          <p>{words.open(exitName, port)}</p>
          {problems.map((problem) => (
            <div key={problem.server}>
              <p>{problem.server}</p>
              <Reason why={problem.why} />
            </div>
          ))}
        </Banner>
      </div>
    ));
}

/** By which servers a server's traffic leaves, and whose leaves by it. */
export function LinksFacts({ server, links }: { server: Server; links: readonly ExitLink[] }) {
  const { links: words } = useServersWords();
  const leavesBy = links.filter(({ entryId, state }) => entryId === server.id && state === "up");
  const comesFrom = links.filter(({ exitId }) => exitId === server.id);
  return [
    [words.leavesBy, leavesBy.map(({ exitName }) => exitName)] as const,
    [words.comesFrom, comesFrom.map(({ entryName }) => entryName)] as const,
  ].map(
    ([name, servers]) =>
      servers.length > 0 && (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{servers.join(", ")}</dd>
        </div>
      ),
  );
}
