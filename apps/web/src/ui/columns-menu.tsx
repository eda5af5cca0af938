import { Button } from "@mantine/core";
import { IconCheck, IconColumns3 } from "@tabler/icons-react";
import { useStaffWords } from "../lib/i18n/staff.ts";
import type { Column } from "./data-table.tsx";
import { MenuButton } from "./menu-button.tsx";
import classes from "./more-menu.module.css";

interface Props {
  columns: readonly Pick<Column<never>, "key" | "title" | "fixed" | "cell">[];
  hidden: ReadonlySet<string>;
  onChange: (hidden: Set<string>) => void;
}

/** Which columns of a table are shown, at least one. A phone shows cards and has no such menu. */
export function ColumnsMenu({ columns, hidden, onChange }: Props) {
  const { table: words } = useStaffWords();
  const turn = (key: string) => {
    const next = new Set(hidden);
    if (!next.delete(key)) next.add(key);
    onChange(next);
  };
  return (
    <MenuButton
      closeOnItemClick={false}
      button={
        <Button
          variant="outline"
          className={classes.wide ?? ""}
          leftSection={<IconColumns3 size={20} stroke={1.6} aria-hidden="true" />}
        >
          {words.columns}
        </Button>
      }
    >
      {(Menu) =>
        columns
          .filter(({ fixed, cell }) => cell && !fixed)
          .map(({ key, title }) => {
            return (
              <Menu.CheckboxItem
                key={key}
                checked={!hidden.has(key)}
                onChange={() => turn(key)}
                checkIcon={<IconCheck size={18} stroke={1.8} aria-hidden="true" />}
              >
                {title}
              </Menu.CheckboxItem>
            );
          })
      }
    </MenuButton>
  );
}
