/**
 * What is seen of the app without opening it: its name in tabs and on the home screen, and its
 * icons. `plain` is for devices whose user is discreet ([Note: plain look] in
 * `workers/service/plain-shell.ts`).
 */
export const OUTSIDE_LOOKS = {
  usual: {
    name: 'Onecut',
    manifest: '/manifest.webmanifest',
    icon: '/icons/icon.svg',
    favicon: '/icons/favicon-32.png',
    touchIcon: '/icons/apple-touch-icon.png',
    noticeIcon: '/icons/icon-192.png',
  },
  plain: {
    name: 'Planner',
    manifest: '/plain.webmanifest',
    icon: '/icons/plain.svg',
    favicon: '/icons/plain-32.png',
    touchIcon: '/icons/plain-180.png',
    noticeIcon: '/icons/plain-192.png',
  },
} as const

/** The look of a device. */
export function outsideLook(isPlain: boolean): (typeof OUTSIDE_LOOKS)['usual' | 'plain'] {
  return isPlain ? OUTSIDE_LOOKS.plain : OUTSIDE_LOOKS.usual
}
