import { EXIT_LINKS, EXITS, type Exit, type ExitDown, type ExitLink, isOwnExit } from "@krug/domain/routing-rules";
import { NativeSelect } from "@mantine/core";
import { IconChevronDown } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { exitsQuery } from "./queries.ts";
import { useExitsWords } from "./words.ts";

const CHEVRON = <IconChevronDown size={20} stroke={1.6} aria-hidden="true" />;

interface Props {
  label: string;
  hint: string;
  value: Exit;
  onChange: (exit: Exit) => void;
  /** Why it was refused. */
  error?: React.ReactNode;
  /** The server whose traffic leaves: it is no exit of its own. */
  entryId?: string | undefined;
}

/** By which exit something leaves servers that route. */
export function ExitField({ label, hint, value, onChange, error, entryId }: Props) {
  const words = useExitsWords();
  const data = [
    ...EXITS.map((exit) => ({ value: exit as string, label: words.own[exit] })),
    ...useServers(entryId, isOwnExit(value) ? [] : [value]),
  ];
  return (
    <NativeSelect
      label={label}
      description={hint}
      error={error}
      rightSection={CHEVRON}
      data={data}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}

/** What happens while an exit does not answer. Nothing to choose if the club has no other server to leave by. */
export function ExitDownField({
  label,
  value,
  onChange,
  error,
  entryId,
}: Omit<Props, "hint" | "value" | "onChange"> & {
  value: ExitDown;
  onChange: (whenDown: ExitDown) => void;
}) {
  const words = useExitsWords();
  const isOwn = value === "wait" || value === "direct";
  const servers = useServers(entryId, isOwn ? [] : [value]);
  if (servers.length === 0 && value === "wait") return null;
  return (
    <NativeSelect
      label={label}
      description={words.downHints[isOwn ? (value as "wait" | "direct") : "other"]}
      error={error}
      rightSection={CHEVRON}
      data={[
        { value: "wait", label: words.down.wait },
        { value: "direct", label: words.down.direct },
        ...servers.map(({ value: id, name }) => ({ value: id, label: words.down.other(name) })),
      ]}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}

/** The kind of tunnel to exits. Nothing to choose if the club has no other server to leave by. */
export function ExitLinkField({
  label,
  value,
  onChange,
  error,
  entryId,
}: Omit<Props, "hint" | "value" | "onChange"> & { value: ExitLink; onChange: (link: ExitLink) => void }) {
  const words = useExitsWords();
  const servers = useServers(entryId, []);
  if (servers.length === 0 && value === "wireguard") return null;
  return (
    <NativeSelect
      label={label}
      description={words.linkHints[value]}
      error={error}
      rightSection={CHEVRON}
      data={EXIT_LINKS.map((link) => ({ value: link, label: words.link[link] }))}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value as ExitLink)}
    />
  );
}

/** Servers that can be chosen, and those that are and no longer can. */
function useServers(entryId: string | undefined, chosen: readonly string[]) {
  const words = useExitsWords();
  const servers = useQuery(exitsQuery).data?.servers ?? [];
  const gone = chosen.filter((id) => !servers.some((server) => server.id === id));
  return [
    ...servers
      .filter(({ id }) => id !== entryId || chosen.includes(id))
      .map(({ id, name }) => ({ value: id, name, label: words.by(name) })),
    ...gone.map((id) => ({ value: id, name: words.another, label: words.another })),
  ];
}

/** How an exit is called in a sentence. Names of servers are asked for only if `isNeeded`. */
export function useExitText(isNeeded: boolean): (exit: Exit | ExitDown) => string {
  const words = useExitsWords();
  const { data } = useQuery({ ...exitsQuery, enabled: isNeeded });
  return (exit) => {
    if (exit === "wait") return words.down.wait.toLowerCase();
    if (isOwnExit(exit)) return words.own[exit].toLowerCase();
    return data?.servers.find(({ id }) => id === exit)?.name ?? words.another.toLowerCase();
  };
}
