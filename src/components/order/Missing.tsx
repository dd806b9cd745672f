import { SearchX } from 'lucide-react'
import { paths } from '#src/config/paths.ts'
import { EmptyState } from '#src/ui/EmptyState.tsx'
import { LinkButton } from '#src/ui/LinkButton.tsx'

/**
 * Shown where the order or job of an address does not exist or belongs to another account; the
 * server answers both in the same way.
 */
export function Missing({ what }: { readonly what: 'job' | 'order' }) {
  return (
    <EmptyState
      icon={<SearchX />}
      title={what === 'order' ? 'Order not found' : 'Edits not found'}
      action={<LinkButton to={paths.edits}>View All Edits</LinkButton>}
    >
      It may have been removed, or the link may be incomplete.
    </EmptyState>
  )
}
