import { Spinner } from './Spinner.tsx'

/** Words beside a spinner for what comes by itself; they end in an ellipsis. */
export function Waiting({ children }: { readonly children: string }) {
  return (
    <p role="status" className="flex items-center gap-3 text-ink">
      <Spinner />
      {children} …
    </p>
  )
}
