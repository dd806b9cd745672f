import { FlaskConical } from 'lucide-react'

/** Says that the payments of a server that other people can reach are only a test. */
export function TestPaymentsNotice() {
  return (
    <aside
      aria-label="Test payments"
      className="flex items-center justify-center gap-2.5 border-b border-bad-line bg-bad-soft px-4 py-2 text-center text-sm font-medium text-bad"
    >
      <FlaskConical aria-hidden className="size-4.5 shrink-0" />
      TEST - no money moves. Tokens and subscriptions on this server cost nothing.
    </aside>
  )
}
