import { ActionIcon } from "@mantine/core";
import { type Icon, IconDotsVertical } from "@tabler/icons-react";
import { Fragment } from "react";
import { MenuButton } from "./menu-button.tsx";
import classes from "./more-menu.module.css";

export interface MenuAction {
  label: string;
  icon?: Icon;
  onClick: () => void;
  danger?: boolean;
  /** Why it cannot be done now: shown below, once for a group. Pressing it does nothing. */
  reason?: string | null;
}

/** Actions behind one button. Groups are separated by a line, and an empty menu has no button. */
export function MoreMenu({ label, groups }: { label: string; groups: readonly (readonly MenuAction[])[] }) {
  const filled = groups.filter((group) => group.length > 0);
  if (filled.length === 0) return null;
  return (
    <MenuButton
      button={
        <ActionIcon aria-label={label}>
          <IconDotsVertical size={20} stroke={1.6} />
        </ActionIcon>
      }
    >
      {(Menu) =>
        filled.map((group, place) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a group is its place
          <Fragment key={place}>
            {place > 0 && <Menu.Divider />}
            {group.map(({ label: words, icon: Sign, onClick, danger, reason }, line) => (
              <Menu.Item
                key={words}
                {...(reason ? { "aria-disabled": true, closeMenuOnClick: false } : { onClick })}
                data-danger={danger || undefined}
                leftSection={Sign && <Sign size={18} stroke={1.6} aria-hidden="true" />}
              >
                {words}
                {reason && group[line + 1]?.reason !== reason && <span className={classes.reason}>{reason}</span>}
              </Menu.Item>
            ))}
          </Fragment>
        ))
      }
    </MenuButton>
  );
}
