import { sizeText, writtenDay } from "../../../lib/format.ts";
import { useDevices } from "../../../lib/i18n/devices.ts";
import { useSpeech } from "../../../lib/i18n/use-text.tsx";
import { Sheet, SheetBody } from "../../../ui/sheet.tsx";
import classes from "./month-dialog.module.css";
import type { DayOfTraffic } from "./queries.ts";

interface Props {
  name: string;
  nowMs: number;
  /** Oldest first. Days without traffic are absent. */
  days: readonly DayOfTraffic[];
  onClose: () => void;
}

/** The month's bars as figures, newest day first. */
export function MonthDialog({ name, nowMs, days, onClose }: Props) {
  const { month } = useDevices();
  const { language } = useSpeech();
  const sum = (bytesOf: (day: DayOfTraffic) => number) => days.reduce((total, day) => total + bytesOf(day), 0);
  // With large letters units and months go to a second line.
  const wrapping = (words: string) => words.replaceAll("\u00a0", " ");
  const size = (bytes: number) => wrapping(sizeText(bytes, language));
  return (
    <Sheet
      onClose={onClose}
      title={month.title}
      parts={
        <SheetBody reading>
          <table className={classes.table}>
            <caption>{month.caption(name)}</caption>
            <thead>
              <tr>
                <th scope="col">{month.day}</th>
                <th scope="col">{month.received}</th>
                <th scope="col">{month.sent}</th>
              </tr>
            </thead>
            <tbody>
              <tr className={classes.total}>
                <th scope="row">{month.total}</th>
                <td>{size(sum(({ received }) => received))}</td>
                <td>{size(sum(({ sent }) => sent))}</td>
              </tr>
              {days.toReversed().map(({ day, received, sent }) => (
                <tr key={day}>
                  <th scope="row">{wrapping(writtenDay(day, nowMs, language))}</th>
                  <td>{size(received)}</td>
                  <td>{size(sent)}</td>
                </tr>
              ))}
            </tbody>
          </table>
          <p className={classes.gaps}>{month.gaps}</p>
        </SheetBody>
      }
    />
  );
}
