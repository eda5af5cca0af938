import { may } from "@krug/domain/staff-actions";
import { ActionIcon } from "@mantine/core";
import { IconArrowLeft, IconLogout } from "@tabler/icons-react";
import { Link } from "@tanstack/react-router";
import { useLeave } from "../../features/access/auth/use-leave.ts";
import { StaffLink, useFrame } from "../../features/club/staff/index.ts";
import { useStaffWords } from "../../lib/i18n/staff.ts";
import { useText } from "../../lib/i18n/use-text.tsx";
import { Mark } from "../../ui/mark.tsx";
import { PageTools } from "../../ui/page-tools.tsx";
import { Segments } from "../../ui/segments.tsx";
import { type AdminScreen, screens } from "./screens.ts";
import classes from "./sections.module.css";

/** The sections of the administration area: the sidebar's content, and the drawer's on a phone. */
export function Sections({ place = "", onChosen }: { place?: string | undefined; onChosen?: () => void }) {
  const { frame: words, screens: titles } = useStaffWords();
  const { common } = useText();
  const { me, viewedRole, viewAs } = useFrame();
  const leave = useLeave();
  const open = screens.filter(({ needs }) => may(viewedRole, needs));
  const here = place.split("/")[0];
  const row = ({ path, title, icon: Icon, waiting: Waiting, screen }: AdminScreen) => (
    <li key={path}>
      <StaffLink
        to={path}
        className={classes.row}
        aria-current={path === here ? "page" : undefined}
        onPointerEnter={() => void screen.load()}
        onClick={onChosen}
      >
        <Icon size={20} stroke={1.6} aria-hidden="true" />
        {titles[title]}
        {Waiting && <Waiting />}
      </StaffLink>
    </li>
  );
  const ours = open.filter(({ group }) => group === "ours");
  return (
    <div className={classes.sections}>
      <div className={classes.brand}>
        <Mark size={28} />
        {common.club}
      </div>
      <nav className={classes.list} aria-label={words.sections}>
        <Link to="/dashboard" className={`${classes.row} k-focus`}>
          <IconArrowLeft size={20} stroke={1.6} aria-hidden="true" />
          {words.back}
        </Link>
        <ul className={classes.rows}>{open.filter(({ group }) => group === "specified").map(row)}</ul>
        {ours.length > 0 && <ul className={`${classes.rows} ${classes.ours}`}>{ours.map(row)}</ul>}
      </nav>
      <div className={classes.own}>
        <PageTools />
        <ActionIcon aria-label={words.logout} title={words.logout} onClick={leave}>
          <IconLogout size={20} stroke={1.6} />
        </ActionIcon>
      </div>
      {me.role === "admin" && (
        <div className={classes.view}>
          <Segments
            label={words.viewAs}
            value={viewedRole}
            onChange={viewAs}
            choices={[
              { value: "admin", label: words.admin },
              { value: "moderator", label: words.moderator },
            ]}
          />
        </div>
      )}
    </div>
  );
}
