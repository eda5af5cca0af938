import cells from "../../../ui/cells.module.css";
import { Fact } from "../../../ui/fact.tsx";
import type { Interface, Server } from "../servers/index.ts";
import { useAmneziaWords } from "./amneziawg-words.ts";
import { StateWords, stateOf } from "./standing.tsx";
import { useInterfacesWords } from "./words.ts";

interface Props {
  row: Interface;
  status: Server["status"];
  editing: React.ReactNode | null;
}

/** A row on a phone: the name, state, port, subnet and load. */
export function InterfaceCard({ row, status, editing }: Props) {
  const { list } = useInterfacesWords();
  const kinds = useAmneziaWords();
  return (
    <div className={cells.card}>
      {editing ?? <b>{row.name}</b>}
      <span className={cells.more}>
        <StateWords row={row} state={stateOf(row, status)} />
      </span>
      <span className={cells.facts}>
        <code>
          {row.interfaceName} :{row.listenPort}
        </code>
        {row.amneziawg !== null && <span>{kinds.named(row.amneziawg.version)}</span>}
        {row.routing === "server" && <span>{list.routed}</span>}
        <code>{row.subnet}</code>
        {row.subnetV6 !== null && <span>IPv6</span>}
        <Fact of={list.configs}>{list.configsOf(row.configCount, row.capacity)}</Fact>
        {row.assignedCount > 0 && <Fact of={list.assigned}>{list.assignedTo(row.assignedCount)}</Fact>}
      </span>
    </div>
  );
}
