import type { CommandTarget } from "@krug/wireguard/device-commands";

const PASTE = "Вставьте команды целиком: они создадут туннель и включат его.";

/** For what takes commands instead of the file. */
export const commandsWords = {
  open: "Роутер или Linux",
  target: "Куда настроить",
  targets: {
    keenetic: "Keenetic",
    mikrotik: "MikroTik",
    openwrt: "OpenWrt",
    linux: "Linux, wg-quick",
    networkManager: "Linux, NetworkManager",
  } satisfies Record<CommandTarget, string>,
  none: (target: string) =>
    `${target} не поддерживает эту версию AmneziaWG. Выберите другой сервер кнопкой «Изменить».`,
  steps: {
    keenetic: [
      "Установите компонент «WireGuard VPN» в настройках системы. Для AmneziaWG нужен KeeneticOS 5.1 или новее.",
      "Откройте в браузере 192.168.1.1/a и вставляйте команды построчно. Если Wireguard9 занят, замените номер.",
      "IPv6 в командах нет. Если строку не приняли, загрузите файл: «Другие подключения», «WireGuard», «Загрузить из файла».",
    ],
    mikrotik: [
      "Нужен RouterOS 7. Откройте New Terminal в WinBox или подключитесь по SSH.",
      PASTE,
      "Последняя строка задаёт DNS всего роутера: уберите её, если DNS менять не нужно.",
    ],
    openwrt: ["Установите пакет wireguard-tools и подключитесь к роутеру по SSH.", PASTE],
    openwrtAmnezia: [
      "Установите пакеты AmneziaWG для своей версии OpenWrt: github.com/Slava-Shchipunov/awg-openwrt.",
      `Подключитесь к роутеру по SSH. ${PASTE}`,
    ],
    linux: ["Установите wireguard-tools, а если система берёт DNS из resolvconf, то и его.", PASTE],
    linuxAmnezia: ["Установите amneziawg и amneziawg-tools из репозитория Amnezia.", PASTE],
    networkManager: ["Нужен NetworkManager 1.16 или новее.", "Вставьте команды: туннель появится в списке сетей."],
  },
  secret: "Здесь ключ устройства: не показывайте команды никому.",
  commands: "Команды",
  copy: "Скопировать команды",
  failed: "Не получилось загрузить файл устройства",
};
