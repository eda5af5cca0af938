import { counter } from "../plural.ts";
import type { Words } from "./notice.ts";

/* Notices about devices that nobody uses (ADR 186). */

const devicesRu = counter("ru", { one: "устройство", few: "устройства", many: "устройств", other: "устройства" });
const devicesEn = counter("en", { one: "device", other: "devices" });

interface Unseen {
  names: readonly string[];
  stage: "soon" | "off" | "deleted";
}

export function unseenRu({ names, stage }: Unseen, day: string): Words {
  const listed = names.join(", ");
  const many = devicesRu(names.length);
  if (names.length === 1) {
    if (stage === "soon")
      return [
        `Устройство ${listed} скоро отключится`,
        `Оно давно не подключалось к клубу. Чтобы оно осталось, подключитесь с него до ${day}.`,
      ];
    if (stage === "off")
      return [
        `Устройство ${listed} отключено`,
        `Оно давно не подключалось. До ${day} его можно включить одной кнопкой на карточке, файл останется прежним. Потом оно удалится.`,
      ];
    return [
      `Устройство ${listed} удалено`,
      "Оно давно не подключалось, было отключено, и никто не включил его снова. Если оно нужно, создайте новое.",
    ];
  }
  if (stage === "soon")
    return [
      `Скоро отключатся: ${many}`,
      `Они давно не подключались к клубу: ${listed}. Чтобы они остались, подключитесь с них до ${day}.`,
    ];
  if (stage === "off")
    return [
      `Отключены: ${many}`,
      `Они давно не подключались: ${listed}. До ${day} их можно включить кнопками на карточках, файлы останутся прежними. Потом они удалятся.`,
    ];
  return [
    `Удалены: ${many}`,
    `Они давно не подключались, были отключены, и никто не включил их снова: ${listed}. Если они нужны, создайте новые.`,
  ];
}

export function unseenEn({ names, stage }: Unseen, day: string): Words {
  const listed = names.join(", ");
  const many = devicesEn(names.length);
  if (names.length === 1) {
    if (stage === "soon")
      return [
        `${listed} will soon be switched off`,
        `It has not connected to the club for a long time. To keep it, connect with it before ${day}.`,
      ];
    if (stage === "off")
      return [
        `${listed} was switched off`,
        `It had not connected for a long time. Until ${day} one press on its card switches it on again, with the same file. Then it is deleted.`,
      ];
    return [
      `${listed} was deleted`,
      "It had not connected for a long time, was switched off, and nobody switched it on again. If you need it, create a new one.",
    ];
  }
  if (stage === "soon")
    return [
      `${many} will soon be switched off`,
      `They have not connected to the club for a long time: ${listed}. To keep them, connect with them before ${day}.`,
    ];
  if (stage === "off")
    return [
      `${many} were switched off`,
      `They had not connected for a long time: ${listed}. Until ${day} a press on each card switches it on again, with the same file. Then they are deleted.`,
    ];
  return [
    `${many} were deleted`,
    `They had not connected for a long time, were switched off, and nobody switched them on again: ${listed}. If you need them, create new ones.`,
  ];
}
