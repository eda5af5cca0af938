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
  return links
    .filter(({ entryId, state }) => entryId === server.id && state !== "up")
    .map((link) => (
      <div className={classes.trouble} key={link.exitId}>
        <BrokenLink link={link} nowMs={nowMs} />
      </div>
    ));
}

function BrokenLink({ link, nowMs }: { link: ExitLink; nowMs: number }) {
  const { links: words } = useServersWords();
  const { text } = useSpeech();
  const { exitName, state, downSince, problems, port } = link;
  if (state === "up") return null;
  return (
    <Banner tone={downSince === null ? "move" : "broken"} live title={words[state](exitName)}>
      {downSince !== null && <p>{words.since(ageText(Date.parse(downSince), nowMs, text.age))}</p>}
      {state === "stuck" && <p>{words.checkOwn(exitName)}</p>}
      {state !== "stuck" && port !== null && <p>{words.open(exitName, port)}</p>}
      {state === "missing" && problems.length === 0 && <p>{words.toBeMade}</p>}
      {problems.map((problem) => (
        <div key={problem.server}>
          <p>{problem.server}</p>
          <Reason why={problem.why} />
        </div>
      ))}
    </Banner>
  );
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
