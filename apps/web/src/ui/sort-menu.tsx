import { ActionIcon } from "@mantine/core";
import { IconArrowDown, IconArrowsSort, IconArrowUp } from "@tabler/icons-react";
import { useStaffWords } from "../lib/i18n/staff.ts";
import type { Sort } from "./data-table.tsx";
import { MenuButton } from "./menu-button.tsx";
import classes from "./more-menu.module.css";

interface Props {
  columns: readonly { key: string; title: string }[];
  sort: Sort;
  onSort: (sort: Sort) => void;
}

/** Sorting on a phone, where a list has no header row. Choosing the current column again reverses the order. */
export function SortMenu({ columns, sort, onSort }: Props) {
  const { table: words } = useStaffWords();
  const Arrow = sort.down ? IconArrowDown : IconArrowUp;
  return (
    <MenuButton
      button={
        <ActionIcon variant="outline" aria-label={words.sort} className={`${classes.outlined} ${classes.narrow}`}>
          <IconArrowsSort size={20} stroke={1.6} />
        </ActionIcon>
      }
    >
      {(Menu) =>
        columns.map(({ key, title }) => {
          const sorted = key === sort.by;
          return (
            <Menu.RadioItem
              key={key}
              value={key}
              checked={sorted}
              closeMenuOnClick
              onChange={() => onSort({ by: key, down: sorted ? !sort.down : key !== columns[0]?.key })}
              checkIcon={<Arrow size={18} stroke={1.8} aria-hidden="true" />}
            >
              {title}
            </Menu.RadioItem>
          );
        })
      }
    </MenuButton>
  );
}
