import { counter } from "../plural.ts";
import type { Words } from "./notice.ts";

/* Notices about devices that work until a day (ADR 199). */

const devicesRu = counter("ru", { one: "устройство", few: "устройства", many: "устройств", other: "устройства" });
const devicesEn = counter("en", { one: "device", other: "devices" });

interface End {
  names: readonly string[];
  stage: "soon" | "ended" | "deleted";
}

export function endRu({ names, stage }: End, day: string): Words {
  const listed = names.join(", ");
  const many = devicesRu(names.length);
  const isOne = names.length === 1;
  if (stage === "soon")
    return [
      isOne ? `Устройство ${listed} работает до ${day}` : `Работают до ${day}: ${many}`,
      isOne
        ? "Потом оно отключится. Нужно дольше? Измените срок на карточке устройства или напишите в поддержку."
        : `Потом они отключатся: ${listed}. Нужно дольше? Измените срок на карточках устройств или напишите в поддержку.`,
    ];
  if (stage === "ended")
    return [
      isOne ? `Срок устройства ${listed} закончился` : `Срок закончился: ${many}`,
      isOne
        ? `Оно отключено. До ${day} его можно включить снова, файл останется прежним. Потом оно удалится.`
        : `Они отключены: ${listed}. До ${day} их можно включить снова, файлы останутся прежними. Потом они удалятся.`,
    ];
  return [
    isOne ? `Устройство ${listed} удалено` : `Удалены: ${many}`,
    isOne
      ? "Его срок закончился давно, и никто не включил его снова. Если оно нужно, создайте новое."
      : `Их срок закончился давно, и никто не включил их снова: ${listed}. Если они нужны, создайте новые.`,
  ];
}

export function endEn({ names, stage }: End, day: string): Words {
  const listed = names.join(", ");
  const many = devicesEn(names.length);
  const isOne = names.length === 1;
  if (stage === "soon")
    return [
      isOne ? `${listed} works until ${day}` : `${many} work until ${day}`,
      isOne
        ? "Then it is switched off. Need it for longer? Change its end date on its card, or write to support."
        : `Then they are switched off: ${listed}. Need them for longer? Change the end dates on their cards, or write to support.`,
    ];
  if (stage === "ended")
    return [
      isOne ? `The time of ${listed} is over` : `The time of ${many} is over`,
      isOne
        ? `It is switched off. Until ${day} it can be switched on again, with the same file. Then it is deleted.`
        : `They are switched off: ${listed}. Until ${day} they can be switched on again, with the same files. Then they are deleted.`,
    ];
  return [
    isOne ? `${listed} was deleted` : `${many} were deleted`,
    isOne
      ? "Its time was over long ago, and nobody switched it on again. If you need it, create a new one."
      : `Their time was over long ago, and nobody switched them on again: ${listed}. If you need them, create new ones.`,
  ];
}
