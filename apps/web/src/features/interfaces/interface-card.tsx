import { useInterfacesWords } from "../../lib/i18n/interfaces.ts";
import type { Interface, Server } from "../servers/index.ts";
import classes from "./interfaces.module.css";
import { StateWords, stateOf } from "./standing.tsx";

interface Props {
  row: Interface;
  status: Server["status"];
  editing: React.ReactNode | null;
}

/** A row on a phone: the name, how it stands, its port, subnet and load. */
export function InterfaceCard({ row, status, editing }: Props) {
  const { list } = useInterfacesWords();
  return (
    <div className={classes.card}>
      {editing ?? <b className={classes.name}>{row.name}</b>}
      <span className={classes.cardState}>
        <StateWords row={row} state={stateOf(row, status)} />
        {row.assignedCount > 0 && ` · ${list.assignedTo(row.assignedCount)}`}
      </span>
      <span className={classes.facts}>
        <code>
          {row.interfaceName} :{row.listenPort}
        </code>
        <code>{row.subnet}</code>
        <span>{list.configsOf(row.configCount, row.capacity)}</span>
      </span>
    </div>
  );
}
