import { classNames } from './class-names.ts'

export type ButtonVariant = 'primary' | 'secondary' | 'quiet' | 'danger'
export type ButtonSize = 'medium' | 'large' | 'small'

const base =
  'inline-flex max-w-full cursor-pointer select-none items-center justify-center gap-2 rounded-control py-1.5 text-center font-semibold no-underline transition ' +
  'duration-150 active:translate-y-px [&>svg]:shrink-0 data-disabled:cursor-not-allowed data-disabled:opacity-55 data-disabled:shadow-none data-disabled:active:translate-y-0 aria-disabled:cursor-progress aria-disabled:active:translate-y-0 ' +
  'data-too-soon:cursor-not-allowed data-too-soon:opacity-55 data-too-soon:shadow-none ' +
  'forced-colors:border'

const variants: Readonly<Record<ButtonVariant, string>> = {
  primary: 'bg-gradient-accent text-on-accent shadow-accent hover:brightness-110',
  secondary:
    'border border-line-strong bg-surface text-ink shadow-1 hover:border-line-control hover:bg-surface-sunken',
  quiet: 'text-ink-muted hover:bg-surface-sunken hover:text-ink',
  danger: 'border border-bad-line bg-bad-soft text-bad hover:border-bad',
}

/**
 * Keeps every target of a finger at 44 px or more; `small` (36 px under a mouse) is for rows of
 * several buttons. Where letters are large on a small screen, the room beside them does not grow
 * with them.
 */
const sizes: Readonly<Record<ButtonSize, string>> = {
  small: 'min-h-9 pointer-coarse:min-h-11 px-[min(0.75rem,4vw)] text-sm',
  medium: 'min-h-11 px-[min(1.25rem,6vw)] text-[0.9375rem]',
  large: 'min-h-13 px-[min(1.75rem,8vw)] text-base',
}

/** Classes shared by everything that looks like a button (button, link, label of a file input). */
export function buttonLook(
  variant: ButtonVariant = 'primary',
  size: ButtonSize = 'medium',
  className?: string,
): string {
  return classNames(base, variants[variant], sizes[size], className)
}
