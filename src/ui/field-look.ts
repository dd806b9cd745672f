/**
 * Classes shared by all fields. 16 px text keeps iOS from zooming in on focus. Asks for the
 * attribute `readonly`, because `:read-only` holds for every select and span.
 */
export const inputLook =
  'min-h-12 w-full rounded-control border border-line-control bg-surface px-4 text-base text-ink placeholder:text-ink-faint transition hover:border-ink-faint ' +
  'focus:border-accent focus:outline-2 focus:outline-offset-0 focus:outline-accent data-invalid:border-bad data-invalid:focus:outline-bad ' +
  'disabled:cursor-not-allowed disabled:bg-surface-sunken disabled:text-ink-muted [&[readonly]]:bg-surface-sunken'

export const labelLook = 'text-sm font-semibold text-ink'
export const hintLook = 'text-sm text-ink-muted'
export const errorLook = 'text-sm font-medium text-bad'
/**
 * Digits stand in the order in which they are typed: of Arabic ones the browser would else show
 * the group behind a space before the other, '٢ ٥٠٠' as '٥٠٠ ٢'.
 */
export const digitsLook = '[direction:ltr] [unicode-bidi:bidi-override]'
