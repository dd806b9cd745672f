import { classNames } from './class-names.ts'

/**
 * A quiet placeholder in the shape of the content to come; only where nothing is known yet. Set its
 * height and width by class.
 */
export function Skeleton({ className }: { readonly className?: string }) {
  return (
    <div
      aria-hidden
      className={classNames('animate-glow rounded-control bg-surface-sunken', className)}
    />
  )
}
