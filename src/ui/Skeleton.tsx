import { classNames } from './class-names.ts'

/**
 * A quiet placeholder with the shape of what comes; only where nothing is known yet. Give it height
 * and width by class.
 */
export function Skeleton({ className }: { readonly className?: string }) {
  return (
    <div
      aria-hidden
      className={classNames('animate-glow rounded-control bg-surface-sunken', className)}
    />
  )
}
