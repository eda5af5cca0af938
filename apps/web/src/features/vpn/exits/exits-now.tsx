import { useQuery } from "@tanstack/react-query";
import { exitsQuery } from "./queries.ts";
import { useExitsWords } from "./words.ts";

/** By which other servers traffic leaves this one, and whether they answer. */
export function ExitsNow({ entryId, className }: { entryId: string; className: string | undefined }) {
  const words = useExitsWords();
  const links = useQuery(exitsQuery).data?.links.filter((link) => link.entryId === entryId) ?? [];
  return links.map(({ exitId, exitName, state }) => (
    <span key={exitId} className={className}>
      → {words.now(exitName, state)}
    </span>
  ));
}
