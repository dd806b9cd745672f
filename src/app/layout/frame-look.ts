/** How header and footer look, for all that draw them: they stay in place when one takes over. */
export const HEADER_LOOK =
  'print:hidden sticky short:static top-0 z-30 border-b border-line bg-canvas/85 pt-[env(safe-area-inset-top)] backdrop-blur-lg'
/** It wraps where a person has doubled the size of the text on a phone. */
export const HEADER_ROW =
  'mx-auto flex min-h-16 max-w-content flex-wrap items-center gap-x-4 px-[min(1rem,4.5vw)] py-1 sm:px-6 lg:px-8'
/** Around the logo that leads to the start page. */
export const LOGO_LINK = 'flex min-h-11 items-center rounded-control'
export const FOOTER_LOOK = 'border-t border-line bg-canvas print:hidden'
export const FOOTER_ROW =
  'mx-auto flex max-w-content flex-wrap items-center justify-between gap-x-8 gap-y-4 px-4 py-8 text-sm text-ink-muted sm:px-6 lg:px-8'
/** Around every private screen: the footer begins below, so that what arrives does not move it. */
export const PRIVATE_LOOK = 'min-h-[calc(100dvh-4rem)]'
