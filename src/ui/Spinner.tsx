import { LoaderCircle } from 'lucide-react'
import { classNames } from './class-names.ts'

/** A decorative spinner. Put words beside it that name what is going on. */
export function Spinner({ className }: { readonly className?: string }) {
  return (
    <LoaderCircle
      aria-hidden
      className={classNames('size-4.5 shrink-0 animate-spin motion-reduce:animate-none', className)}
    />
  )
}
