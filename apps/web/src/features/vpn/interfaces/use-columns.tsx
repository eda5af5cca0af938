import cells from "../../../ui/cells.module.css";
import type { Column } from "../../../ui/data-table.tsx";
import type { Interface, Server } from "../servers/index.ts";
import { useAmneziaWords } from "./amneziawg-words.ts";
import classes from "./interfaces.module.css";
import { StateWords, stateOf } from "./standing.tsx";
import { useInterfacesWords } from "./words.ts";

interface Wish {
  status: Server["status"];
  /** Replaces the name while it is edited. */
  editing: (row: Interface) => React.ReactNode | null;
}

export function useColumns({ status, editing }: Wish): Column<Interface>[] {
  const { edit, list, states } = useInterfacesWords();
  const kinds = useAmneziaWords();
  const mono = (text: string) => <code className={cells.mono}>{text}</code>;
  return [
    {
      key: "name",
      title: list.name,
      fixed: true,
      cell: (row) => editing(row) ?? <b className={classes.name}>{row.name}</b>,
      text: ({ name }) => name,
    },
    {
      key: "interfaceName",
      title: list.interfaceName,
      cell: ({ interfaceName, listenPort, amneziawg, routing }) => (
        <>
          {mono(interfaceName)} {mono(`:${listenPort}`)}
          {amneziawg !== null && <span className={cells.quiet}> {kinds.named(amneziawg.version)}</span>}
          {routing === "server" && <span className={cells.quiet}> {list.routed}</span>}
        </>
      ),
      text: ({ interfaceName, amneziawg }) =>
        amneziawg === null ? interfaceName : `${interfaceName} ${kinds.named(amneziawg.version)}`,
    },
    {
      key: "subnet",
      title: list.subnet,
      cell: ({ subnet, subnetV6 }) => (
        <>
          {mono(subnet)}
          {subnetV6 !== null && <span className={cells.quiet}> + IPv6</span>}
        </>
      ),
      text: ({ subnet, subnetV6 }) => [subnet, subnetV6 ?? []].flat().join(" "),
    },
    {
      key: "state",
      title: list.state,
      cell: (row) => <StateWords row={row} state={stateOf(row, status)} ring />,
      text: (row) => states[stateOf(row, status)],
    },
    {
      key: "configs",
      title: list.configs,
      right: true,
      cell: ({ configCount, capacity }) => list.configsOf(configCount, capacity),
      text: ({ configCount }) => configCount,
    },
    {
      key: "assigned",
      title: list.assigned,
      right: true,
      cell: ({ assignedCount }) => (
        <span className={`${classes.assigned} ${cells.quiet}`}>
          {assignedCount === 0 ? "—" : list.assignedTo(assignedCount)}
        </span>
      ),
      text: ({ assignedCount }) => assignedCount,
    },
    // Only in the exported file: the table shows it next to the interface, and the others are in the edit form.
    { key: "port", title: list.port, text: ({ listenPort }) => listenPort },
    { key: "endpoint", title: list.endpoint, text: ({ endpoint }) => endpoint ?? "" },
    { key: "routing", title: edit.routing, text: ({ routing }) => edit.routings[routing] },
    { key: "mtu", title: list.mtu, text: ({ mtu }) => mtu ?? "" },
  ];
}
