import cells from "../../../ui/cells.module.css";
import type { Column } from "../../../ui/data-table.tsx";
import { AddressesOf, NameOf } from "./entry-card.tsx";
import type { Entry } from "./queries.ts";
import { useCatalogWords } from "./words.ts";

interface Wish {
  kind: Entry["kind"];
  /** null until it is known. */
  usedIn: (id: string) => number | null;
}

export function useColumns({ kind, usedIn }: Wish): Column<Entry>[] {
  const words = useCatalogWords();
  const { columns, devices } = words;
  return [
    { key: "name", title: columns.name, fixed: true, cell: (entry) => <NameOf entry={entry} /> },
    { key: "addresses", title: columns.addresses, cell: (entry) => <AddressesOf entry={entry} /> },
    ...(kind === "service"
      ? [
          {
            key: "devices",
            title: columns.devices,
            cell: (entry: Entry) => (
              <span className={cells.quiet}>
                {entry.kind === "service" && entry.deviceTypes.map((device) => devices[device]).join(", ")}
              </span>
            ),
          },
        ]
      : []),
    {
      key: "configs",
      title: columns.configs,
      right: true,
      cell: ({ id }) => {
        const used = usedIn(id);
        return <span className={cells.quiet}>{used === null ? "" : words.used(used)}</span>;
      },
    },
  ];
}
