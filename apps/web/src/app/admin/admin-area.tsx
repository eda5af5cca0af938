import { Drawer } from "@mantine/core";
import "@mantine/core/styles/Drawer.layer.css";
import "@mantine/core/styles/ModalBase.layer.css";
import "@mantine/core/styles/Overlay.layer.css";
import "@mantine/core/styles/Paper.layer.css";
import "@mantine/core/styles/CloseButton.layer.css";
import { useQuery } from "@tanstack/react-query";
import { CatchBoundary, useNavigate, useParams } from "@tanstack/react-router";
import { useEffect, useMemo, useState } from "react";
import { type Me, meQuery } from "../../features/access/auth/queries.ts";
import { FrameProvider, type StaffRole, useSamplesAlone } from "../../features/club/staff/index.ts";
import { UNDO_KEPT } from "../../features/club/undo/offer.ts";
import { useDesk } from "../../features/messages/staff-support/use-desk.ts";
import { keepForTab, keptForTab } from "../../lib/browser-storage.ts";
import { fetchAhead, isFrugal } from "../../lib/fetch-ahead.ts";
import { useStaffWords } from "../../lib/i18n/staff.ts";
import { useText } from "../../lib/i18n/use-text.tsx";
import { useLayer } from "../../lib/layers.ts";
import { lazyPart } from "../../ui/lazy.tsx";
import { lazyDialog } from "../../ui/lazy-dialog.tsx";
import { Crash } from "../crash.tsx";
import { useLiveChanges } from "../use-live-changes.ts";
import { usePushKept } from "../use-push-kept.ts";
import classes from "./admin-area.module.css";
import { Entry } from "./entry.tsx";
import { screenAt } from "./screens.ts";
import { Sections } from "./sections.tsx";
import { makeTypedAhead } from "./typed-ahead.ts";

const ToastHost = lazyPart(() => import("../../ui/toast-host.tsx").then(({ ToastHost }) => ToastHost));
const Palette = lazyDialog(() => import("./palette.tsx").then(({ Palette }) => Palette));

/** As in admin-area.module.css. */
const WIDE = "(min-width: 64em)";
const VIEWED = "krug.viewed-role";

/** The route's guard lets only staff in. Shows nothing for the moment after signing out. */
export function AdminArea() {
  const { data: me } = useQuery(meQuery);
  return me && me.role !== "user" ? <Area me={me} role={me.role} /> : null;
}

function Area({ me, role }: { me: Me; role: StaffRole }) {
  const { frame: words } = useStaffWords();
  const { common } = useText();
  const place = useParams({ strict: false })._splat;
  const navigate = useNavigate();
  const [wished, setWished] = useState<string | null>(() => keptForTab(VIEWED));
  const [sections, setSections] = useState(false);
  const [searching, setSearching] = useState(false);
  const [ahead] = useState(makeTypedAhead);
  useLayer(sections, () => setSections(false));
  const [entered, setEntered] = useState(false);
  useLiveChanges(true);
  usePushKept(true);
  useSamplesAlone();
  useDesk({ enabled: entered, whileHidden: place === "support" });
  const viewedRole: StaffRole = role === "admin" && wished !== "moderator" ? "admin" : "moderator";
  const found = screenAt(place, viewedRole);

  useEffect(() => {
    // Viewing as a moderator leaves screens that moderators do not have.
    if (!found) void navigate({ to: "/admin/$", params: { _splat: "users" }, replace: true });
  }, [found, navigate]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: whatever was chosen, the list of sections closes
  useEffect(() => setSections(false), [place]);
  useEffect(() => {
    // A wide window shows them next to the screen: after turning a tablet they must not also cover it.
    const wide = window.matchMedia(WIDE);
    const close = () => setSections(false);
    wide.addEventListener("change", close);
    return () => wide.removeEventListener("change", close);
  }, []);
  useEffect(() => {
    if (!entered) return;
    if (keptForTab(UNDO_KEPT)) void import("../../features/club/undo/undo-toast.tsx").then((undo) => undo.offerAgain());
    // Ready when the first letter is typed.
    if (!isFrugal()) void Palette.load().then(fetchAhead);
    const open = (event: KeyboardEvent) => {
      // By its place on the keyboard: the Russian layout gives it another letter.
      if ((event.ctrlKey || event.metaKey) && !event.altKey && event.code === "KeyK") {
        event.preventDefault();
        ahead.begin();
        setSearching(true);
      }
    };
    window.addEventListener("keydown", open);
    const endListening = ahead.listen();
    return () => {
      window.removeEventListener("keydown", open);
      endListening();
    };
  }, [entered, ahead]);

  const frame = useMemo(
    () => ({
      me,
      viewedRole,
      entered,
      viewAs: (next: StaffRole) => {
        keepForTab(VIEWED, next);
        setWished(next);
      },
      openSections: () => setSections(true),
      openSearch: () => setSearching(true),
    }),
    [me, viewedRole, entered],
  );
  const Shown = found?.screen.screen;
  const Item = found?.screen.item;
  return (
    <FrameProvider value={frame}>
      <div className={classes.frame}>
        <aside className={classes.sidebar}>
          <Sections place={place} />
        </aside>
        <Drawer.Root
          opened={sections}
          onClose={() => setSections(false)}
          size={304}
          classNames={{ content: classes.drawer ?? "", body: classes.drawerBody ?? "" }}
        >
          <Drawer.Overlay className={classes.scrim ?? ""} />
          <Drawer.Content aria-label={words.sections}>
            <Drawer.CloseButton className={classes.close ?? ""} aria-label={common.close} iconSize={20} />
            <Drawer.Body>
              <Sections place={place} onChosen={() => setSections(false)} />
            </Drawer.Body>
          </Drawer.Content>
        </Drawer.Root>
        <div className={classes.main}>
          {entered && (
            <CatchBoundary getResetKey={() => place ?? ""} errorComponent={Crash}>
              {found && (found.id === null || !Item ? Shown && <Shown /> : <Item key={found.id} id={found.id} />)}
            </CatchBoundary>
          )}
        </div>
      </div>
      <Entry me={me} onEntered={() => setEntered(true)} />
      {searching && <Palette onClose={() => setSearching(false)} takeTyped={ahead.take} />}
      <ToastHost />
    </FrameProvider>
  );
}
